import type { Observable } from 'rxjs';
import { keepCancellable } from '../../events/cancel-run.ts';
import { keepCleaner } from '../../events/clean-prompts.ts';
import type { GateEvent, HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { freezeEvent } from '../../events/values/deep-freeze.ts';
import { Fifo } from '../../events/values/fifo.ts';
import type { Vault } from '../calls/vault.ts';
import type { Hook } from '../define/hook.ts';
import type { AnyPipeline, AskOptions, AskReply, AskRequest, HookContext, RunChild } from '../define/hook-context.ts';
import type { Model } from '../define/model.ts';
import type { Plan } from '../define/plan.ts';
import { RunState } from '../define/state.ts';
import { createLifetime, type Lifetime } from '../flow/lifetime.ts';
import type { ParentLogger } from '../logger.ts';
import type { Settings } from '../settings.ts';
import { redactEvent, redactText } from '../trace/redact-text.ts';
import type { Tracer } from '../trace/tracer.ts';
import type { Delivery, MediaStore, RunOptions, SuspendedChild } from './run.ts';
import type { StepFailure } from './step-failure.ts';

/** The common parts of all runs of one agent on a pipeline. */
export interface RunHost {
  readonly pipeline: HostPipeline;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly tracer: Tracer | undefined;
  /** Notifies observers and the hot stream. */
  readonly publish: (event: SettledEvent, scope: RunScope) => void;
  /** Shows an event of a sub-agent with other hooks to the observers of this pipeline. */
  readonly relay: (event: SettledEvent) => void;
  /** `context.ask` and `context.child`. They run phases, which import runs, and not vice versa. */
  readonly ask: (scope: RunScope, within: Lifetime, request: AskRequest, options?: AskOptions) => Observable<AskReply>;
  readonly childFor: (scope: RunScope, hook: Hook, within: Lifetime) => RunChild;
}

/** The part of a pipeline that its runs use. */
interface HostPipeline extends AnyPipeline {
  readonly hooks: readonly Hook[];
  without(name: string): AnyPipeline;
}

/** The state of one run. A class to save memory at ten thousand concurrent runs. */
export class RunScope {
  // The fields used for every chunk come first, for speed.
  seq = 0;
  readonly host: RunHost;
  readonly info: RunInfo;
  readonly leases: (Lease | undefined)[];
  /** The queues of slow observers. */
  queues: (ObserverQueue | undefined)[] | undefined = undefined;
  readonly lifetime: Lifetime;
  readonly dryRun: boolean;
  readonly deliver: ((delivery: Delivery) => unknown) | undefined;
  readonly mediaStore: MediaStore | undefined;
  readonly transcript: () => readonly Message[];
  suspendedChildren: Map<string, SuspendedChild> | undefined = undefined;
  /** Nothing begins after the end. A run that never begins may reason and act. */
  stage: 'new' | 'begun' | 'ended' = 'new';
  iteration: number;
  /** Consecutive retries. */
  retries: number;
  /** The failure that ended the run. */
  fatal: StepFailure | undefined = undefined;
  /** The hook that ended the run. */
  abortedBy: string | undefined = undefined;
  /** The answer of a hook to a failure outside the model steps. */
  recovered: Message | undefined = undefined;
  /** The text that was emitted by a model step that did not complete. */
  unfinished: { partial(): Message | undefined } | undefined = undefined;
  /** The usage of model requests of hooks. */
  askedUsage: Usage | undefined = undefined;
  /** The model of the run, once it is known. */
  model: Model | undefined;
  /** The first queued event. Usually there is no other. */
  #next: SettledEvent | undefined = undefined;
  #more: Fifo<SettledEvent> | undefined = undefined;
  #isPublishing = false;
  readonly #saved: RunOptions['state'];
  #state: RunState | undefined = undefined;

  constructor(host: RunHost, info: RunInfo, options: Omit<RunOptions, 'agent'> = {}) {
    this.host = host;
    this.info = info;
    this.leases = new Array(host.pipeline.hooks.length);
    this.lifetime = createLifetime(options.parent?.lifetime, host.settings.log);
    this.dryRun = options.dryRun ?? false;
    this.deliver = options.deliver;
    this.mediaStore = options.mediaStore;
    this.transcript = options.transcript ?? noTranscript;
    this.iteration = options.iteration ?? 0;
    this.retries = options.retries ?? 0;
    this.model = options.model;
    this.#saved = options.state;
    keepCancellable(info, this.lifetime);
    if (host.plan.redactors.length > 0) keepCleaner(info, (text) => redactText(this, text));
  }

  get state(): RunState {
    this.#state ??= new RunState(this.#saved);
    return this.#state;
  }

  get plan(): Plan {
    return this.host.plan;
  }

  get settings(): Settings {
    return this.host.settings;
  }

  get tracer(): Tracer | undefined {
    return this.host.tracer;
  }

  get log(): ParentLogger {
    return this.host.settings.log;
  }

  /** Queues a settled event for observers. Its consumer receives it first. */
  queue(event: SettledEvent): void {
    if (this.#next === undefined) this.#next = event;
    else {
      this.#more ??= new Fifo();
      this.#more.push(event);
    }
  }

  /** Notifies observers, in the order of settling. Their reaction to one event may settle the next. */
  publish(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    for (let event = this.#next; event; event = this.#next) {
      this.#next = this.#more?.shift();
      this.host.publish(event, this);
    }
    this.#isPublishing = false;
  }
}

const noTranscript = (): readonly Message[] => [];

/** Stamps an event with sequence number and time. The consumer of the caller receives it first, then the observers. */
export function settle<E extends GateEvent>(scope: RunScope, event: E): SettledEvent<E> {
  const seq = scope.seq;
  const time = scope.settings.scheduler.now();
  scope.seq = seq + 1;
  // The stamp comes first: V8 takes about ten times longer to add fields after a spread.
  const clean = redactEvent(scope, firstAbort(scope, event));
  const settled = { seq, time, ...(clean === event ? event : freezeEvent(clean)) } as SettledEvent<E>;
  Object.freeze(settled);
  scope.tracer?.settled(event, settled, scope);
  scope.queue(settled as SettledEvent);
  return settled;
}

/** Records the hook that aborts the run. A later abort, by a parallel call, loses its rollback and gets a note. */
export function firstAbort<E extends HookEvent>(scope: RunScope, event: E): E {
  const { decision } = event;
  if (decision?.action !== 'abort') return event;
  const { by = 'engine', reason } = decision;
  const first = scope.abortedBy;
  scope.abortedBy ??= by;
  if (first === undefined) return event;
  const note = { by, code: 'decision-ignored', message: `"abort" ignored: hook "${first}" has ended the run` };
  return { ...event, decision: { action: 'abort', reason, by }, notes: [...(event.notes ?? []), note] };
}

/** The queue of one observing hook in one run. */
export interface ObserverQueue {
  busy: boolean;
  /** Whether the queue is being processed: a synchronous observer re-enters from within the loop. */
  draining: boolean;
  chunks: number;
  dropped: number;
  readonly waiting: Fifo<SettledEvent>;
}

/**
 * A hook's context on loan to its handlers. Synchronous handlers share it, one after the other. An asynchronous one keeps it, so that its
 * signal is its own.
 */
export interface Lease {
  /** The object that handlers receive. It does not lead to the lease. */
  readonly context: HookContext;
  /** The store of `context.seal`, set while `on.preActing` handles a call. */
  vault: Vault | undefined;
  /** Whether an observer uses it. Only observers may run after the end of their run. */
  observing: boolean;
  /** Ends the handler's time: aborts the signal, if it was read. */
  expire(reason: string): void;
}
