import { defer, EMPTY, type Observable } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { tooLate, type Vault } from '../calls/vault.ts';
import type { Hook } from '../define/hook.ts';
import type { HookContext, SealOptions } from '../define/hook-context.ts';
import { STATE_OWNER } from '../define/state.ts';
import { createLifetime, type Lifetime } from '../flow/lifetime.ts';
import type { Logger } from '../logger.ts';
import { deniedBy, readingOf } from './denied-by.ts';
import type { Lease, RunScope } from './run-scope.ts';
import { StepFailure } from './step-failure.ts';

/** The context of a hook in this run; the same one until a handler takes it away into asynchrony. */
export function leaseOf(scope: RunScope, hook: Hook, index: number): Lease {
  const lease = scope.leases[index];
  if (lease) return lease;
  const made = new ContextLease(scope, hook);
  scope.leases[index] = made;
  return made;
}

/** What the engine keeps of a context. A class for its weight: one is made for every hook of every run. */
class ContextLease implements Lease {
  readonly scope: RunScope;
  readonly hook: Hook;
  readonly context: HookContext;
  vault: Vault | undefined = undefined;
  observing = false;
  #lifetime: Lifetime | undefined = undefined;
  #log: Logger | undefined = undefined;

  constructor(scope: RunScope, hook: Hook) {
    this.scope = scope;
    this.hook = hook;
    this.context = LeasedContext.of(this);
  }

  expire(reason: string): void {
    // When the whole run was cancelled, that is why.
    this.#lifetime?.cancel(this.scope.lifetime.reason ?? reason);
  }

  get lifetime(): Lifetime {
    this.#lifetime ??= createLifetime(this.scope.lifetime);
    return this.#lifetime;
  }

  get log(): Logger {
    const { agent, runId, sessionId } = this.scope.info;
    this.#log ??= this.scope.log.child({ hook: this.hook.name, agent, runId, sessionId });
    return this.#log;
  }

  /** What nobody waits for any more must not ask models, nor run agents; no error, for most who come so late listen to none. */
  unlessOver<T>(what: string, source$: Observable<T>): Observable<T> {
    return defer(() => {
      if (this.scope.stage !== 'ended' || this.observing) return source$;
      this.log.error({ used: what }, 'a hook has used its context when the run was over; nothing was run');
      return EMPTY;
    });
  }

  seal(label: string, value: JsonValue, options?: SealOptions): JsonObject {
    if (this.vault) return this.vault.seal(this.hook.name, label, value, options);
    throw new HooklineError('SEAL_MISUSED', tooLate(this.hook.name));
  }
}

/** How each field of a context is made from its lease. */
const fields: { readonly [K in keyof HookContext]: (lease: ContextLease) => HookContext[K] } = {
  run: ({ scope }) => scope.info,
  transcript: ({ scope }) => transcriptOf(scope),
  signal: ({ lifetime }) => lifetime.signal,
  log: ({ log }) => log,
  scheduler: ({ scope }) => scope.settings.scheduler,
  dryRun: ({ scope }) => scope.dryRun,
  mayRead:
    ({ scope, log }) =>
    (place) =>
      deniedBy(scope.plan, readingOf(place), log) === undefined,
  state:
    ({ scope, hook }) =>
    (key) =>
      scope.state.cell(key, (hook as { [STATE_OWNER]?: string })[STATE_OWNER]),
  seal: (lease) => (label, value, options) => lease.seal(label, value, options),
  ask: (lease) => (request, options) =>
    lease.unlessOver('ask', lease.scope.host.ask(lease.scope, lease.lifetime, request, options)),
  askedUsage: ({ scope }) => scope.askedUsage,
  child: (lease) => (agent, input, options) =>
    lease.unlessOver(
      'child',
      lease.scope.host.childFor(lease.scope, lease.hook, lease.lifetime)(agent, input, options),
    ),
};

const names = Object.keys(fields);

/** What the host gives is read in a hook's hands, and what fails there would be laid at the hook's door. */
function transcriptOf(scope: RunScope): readonly Message[] {
  let given: unknown;
  try {
    given = scope.transcript();
    if (Array.isArray(given)) return given;
  } catch (thrown) {
    throw hostFailure(`could not be read: ${messageOf(thrown)}`, thrown);
  }
  ignoreRejection(given);
  throw hostFailure('is not a list of messages; return the list, not a promise');
}

function hostFailure(why: string, cause?: unknown): StepFailure {
  const message = `The transcript that pipeline.start(options) was given ${why}.`;
  return new StepFailure('host', new HooklineError('TRANSCRIPT_FAILED', message, { cause }), undefined, true);
}

/**
 * What hooks hold: fields that can be spread and destructured, and no way from there to the lease. A proxy costs a hundredth of
 * an object with ten getters of its own, and one is made for every hook of every run.
 */
class LeasedContext {
  readonly #lease: ContextLease;

  static of(lease: ContextLease): HookContext {
    return new Proxy(new LeasedContext(lease), LeasedContext.#handler) as unknown as HookContext;
  }

  static readonly #handler: ProxyHandler<LeasedContext> = {
    get: (target, name) => target.#field(name),
    has: (_, name) => Object.hasOwn(fields, name),
    ownKeys: () => names,
    getOwnPropertyDescriptor: (target, name) =>
      Object.hasOwn(fields, name) ? { configurable: true, enumerable: true, value: target.#field(name) } : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  };

  constructor(lease: ContextLease) {
    this.#lease = lease;
  }

  #field(name: string | symbol): unknown {
    return Object.hasOwn(fields, name) ? fields[name as keyof HookContext](this.#lease) : Reflect.get(this, name);
  }
}
