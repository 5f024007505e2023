export { type Backplane, type BackplaneParts, natsBackplane } from './backplane.ts';
export { type NatsOptions, natsOptionsSchema } from './nats-options.ts';
