import { defer, EMPTY, type Observable } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { tooLate, type Vault } from '../calls/vault.ts';
import { type Hook, PIPELINE } from '../define/hook.ts';
import type { HookContext, SealOptions } from '../define/hook-context.ts';
import { STATE_OWNER } from '../define/state.ts';
import { createLifetime, type Lifetime } from '../flow/lifetime.ts';
import type { Logger } from '../logger.ts';
import { deniedBy, readingOf } from './denied-by.ts';
import type { Lease, RunScope } from './run-scope.ts';
import { StepFailure } from './step-failure.ts';

/** Returns the context of a hook in this run. It is reused until a handler keeps it asynchronously. */
export function leaseOf(scope: RunScope, hook: Hook, index: number): Lease {
  const lease = scope.leases[index];
  if (lease) return lease;
  const made = new ContextLease(scope, hook);
  scope.leases[index] = made;
  return made;
}

/** The engine's side of a context. A class to save memory: every hook of every run has one. */
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
    // If the whole run was cancelled, its reason takes precedence.
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

  /** A handler that is no longer awaited must not send model requests or run agents. No error, because few late callers handle one. */
  unlessOver<T>(what: string, source$: Observable<T>): Observable<T> {
    return defer(() => {
      if (this.scope.stage !== 'ended' || this.observing) return source$;
      this.log.error({ used: what }, 'a hook used its context after the end of the run; nothing was run');
      return EMPTY;
    });
  }

  seal(label: string, value: JsonValue, options?: SealOptions): JsonObject {
    if (this.vault) return this.vault.seal(this.hook.name, label, value, options);
    throw new HooklineError('SEAL_MISUSED', tooLate(this.hook.name));
  }
}

/** The getters of the fields of a context. */
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

/** Reads the transcript of the host. This runs inside a hook, to which its errors would otherwise be attributed. */
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
 * The context of hooks: its fields can be spread and destructured, and do not lead to the lease. A proxy costs a hundredth of an object
 * with ten own getters, and every hook of every run has one.
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
    if (name === PIPELINE) return this.#lease.scope.host.pipeline;
    return Object.hasOwn(fields, name) ? fields[name as keyof HookContext](this.#lease) : Reflect.get(this, name);
  }
}
