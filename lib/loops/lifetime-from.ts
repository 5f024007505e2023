import { onAbort } from '../agent/on-abort.ts';
import { messageOf } from '../errors/describe-thrown.ts';
import { createLifetime, type Lifetime } from '../pipeline/flow/lifetime.ts';

/**
 * A lifetime that ends when `signal` aborts, and with `parent` at the latest. Given to all calls of a batch (`ActingOptions.lifetime`, with
 * `run.lifetime` as its parent), cancelling it ends them all. Cancel it when the batch is over: until then the signal keeps it.
 */
export function lifetimeFrom(signal: AbortSignal, parent?: Lifetime): Lifetime {
  const lifetime = createLifetime(parent);
  const unlink = onAbort(signal, () => lifetime.cancel(messageOf(signal.reason)));
  lifetime.onCancel({ cancel: unlink });
  return lifetime;
}
