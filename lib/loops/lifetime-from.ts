import { onAbort } from '../agent/on-abort.ts';
import { messageOf } from '../errors/describe-thrown.ts';
import { createLifetime, type Lifetime } from '../pipeline/flow/lifetime.ts';

/**
 * Returns a lifetime that ends when `signal` aborts, or with `parent`. Pass it to all calls of a batch (`ActingOptions.lifetime`, with
 * `run.lifetime` as its parent). Cancelling it ends them all. Cancel it when the batch is over, because the signal references it until then.
 */
export function lifetimeFrom(signal: AbortSignal, parent?: Lifetime): Lifetime {
  const lifetime = createLifetime(parent);
  const unlink = onAbort(signal, () => lifetime.cancel(messageOf(signal.reason)));
  lifetime.onCancel({ cancel: unlink });
  return lifetime;
}
