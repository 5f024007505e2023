import type * as jetstream from '@nats-io/jetstream';
import type * as kv from '@nats-io/kv';
import type * as transport from '@nats-io/transport-node';
import { HooklineError } from '../../errors.ts';

/** The client packages of NATS, which are optional peers. */
export interface NatsClient {
  readonly transport: typeof transport;
  readonly jetstream: typeof jetstream;
  readonly kv: typeof kv;
}

const PEERS = '@nats-io/transport-node @nats-io/jetstream @nats-io/kv';

/** Loads the packages. If one is missing, `OPTIONS_INVALID` names the packages to install. */
export function loadNats(): NatsClient {
  try {
    return {
      transport: require('@nats-io/transport-node'),
      jetstream: require('@nats-io/jetstream'),
      kv: require('@nats-io/kv'),
    };
  } catch (cause) {
    const message = `A NATS backplane needs the packages ${PEERS}. Run: npm install ${PEERS}.`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
}
