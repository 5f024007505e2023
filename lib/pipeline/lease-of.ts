import type { SchedulerLike } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { RunInfo } from '../events/run-info.ts';
import type { RunChild } from './child-agent.ts';
import type { Hook } from './hook.ts';
import type { HookContext } from './hook-context.ts';
import type { Lease } from './lease.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import type { Logger } from './logger.ts';
import type { RunScope } from './run-scope.ts';
import { tooLate, type Vault } from './vault.ts';

/** The context of a hook in this run; the same one until a handler takes it away into asynchrony. */
export function leaseOf(scope: RunScope, hook: Hook, index: number): Lease {
  const lease = scope.leases[index];
  if (lease) return lease;
  const made = new LeasedContext(scope, hook);
  scope.leases[index] = made;
  return made;
}

/**
 * Lease and context in one. A class, though the house prefers plain functions: one is made for every hook of every run, and closures
 * for ten members each were most of what 10,000 runs side by side weighed. All members can be taken out by destructuring.
 */
class LeasedContext implements Lease, HookContext {
  readonly #scope: RunScope;
  readonly #hook: Hook;
  #vault: Vault | undefined;
  #lifetime: Lifetime | undefined;
  #log: Logger | undefined;

  constructor(scope: RunScope, hook: Hook) {
    this.#scope = scope;
    this.#hook = hook;
  }

  get context(): HookContext {
    return this;
  }

  get vault(): Vault | undefined {
    return this.#vault;
  }

  set vault(vault: Vault | undefined) {
    this.#vault = vault;
  }

  expire(reason: string): void {
    // When the whole run was cancelled, that is why.
    this.#lifetime?.cancel(this.#scope.lifetime.reason ?? reason);
  }

  get run(): RunInfo {
    return this.#scope.info;
  }

  get transcript(): HookContext['transcript'] {
    return this.#scope.transcript();
  }

  get signal(): AbortSignal {
    this.#lifetime ??= createLifetime(this.#scope.lifetime);
    return this.#lifetime.signal;
  }

  get log(): Logger {
    const { agent, runId, sessionId } = this.#scope.info;
    this.#log ??= this.#scope.log.child({ hook: this.#hook.name, agent, runId, sessionId });
    return this.#log;
  }

  get scheduler(): SchedulerLike {
    return this.#scope.settings.scheduler;
  }

  get dryRun(): boolean {
    return this.#scope.dryRun;
  }

  get state(): HookContext['state'] {
    return (key) => this.#scope.state.cell(key);
  }

  get seal(): HookContext['seal'] {
    return (label, value) => {
      if (this.#vault) return this.#vault.seal(this.#hook.name, label, value);
      throw new HooklineError('SEAL_MISUSED', tooLate(this.#hook.name));
    };
  }

  get child(): RunChild {
    return this.#scope.children.forHook(this.#hook);
  }
}
