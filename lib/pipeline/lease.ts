import type { Logger } from 'pino';
import { HooklineError } from '../errors.ts';
import type { Hook } from './hook.ts';
import type { HookContext } from './hook-context.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import type { RunScope } from './run-scope.ts';
import { tooLate, type Vault } from './vault.ts';

/**
 * A hook's context on loan to its handlers. Handlers that return synchronously share it one after the other; one that goes on
 * asynchronously keeps it for itself, so that its signal is its own.
 */
export interface Lease {
  readonly context: HookContext;
  /** Where `context.seal` puts values; set while `on.preActing` handles a call. */
  vault: Vault | undefined;
  /** Ends the handler's time: aborts the signal, if anybody has read it. */
  expire(reason: string): void;
}

export function createLease(scope: RunScope, hook: Hook): Lease {
  let lifetime: Lifetime | undefined;
  let log: Logger | undefined;
  const lease: Lease = {
    vault: undefined,
    expire: (reason) => lifetime?.cancel(reason),
    context: {
      run: scope.info,
      get transcript() {
        return scope.transcript();
      },
      get signal() {
        lifetime ??= createLifetime(scope.lifetime);
        return lifetime.signal;
      },
      get log() {
        const { agent, runId, sessionId } = scope.info;
        log ??= scope.log.child({ hook: hook.name, agent, runId, sessionId });
        return log;
      },
      scheduler: scope.settings.scheduler,
      dryRun: scope.dryRun,
      state: (key) => scope.state.cell(key),
      seal(label, value) {
        if (lease.vault) return lease.vault.seal(hook.name, label, value);
        throw new HooklineError('SEAL_MISUSED', tooLate(hook.name));
      },
      get child() {
        return scope.childFor(hook);
      },
    },
  };
  return lease;
}
