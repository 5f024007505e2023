import type { Vault } from '../calls/vault.ts';
import type { HookContext } from '../define/hook-context.ts';

/**
 * A hook's context on loan to its handlers. Handlers that return synchronously share it one after the other; one that goes on
 * asynchronously keeps it for itself, so that its signal is its own.
 */
export interface Lease {
  /** All that handlers get: nothing else of the lease can be reached from it. */
  readonly context: HookContext;
  /** Where `context.seal` puts values; set while `on.preActing` handles a call. */
  vault: Vault | undefined;
  /** Whether an observer is at work with it: the only one that may be so behind the end of its run. */
  observing: boolean;
  /** Ends the handler's time: aborts the signal, if anybody has read it. */
  expire(reason: string): void;
}
