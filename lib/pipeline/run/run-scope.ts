import type { Observable } from 'rxjs';
import { keepCancellable } from '../../events/cancel-run.ts';
import { keepCleaner } from '../../events/clean-prompts.ts';
import type { GateEvent, HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { freezeEvent } from '../../events/values/deep-freeze.ts';
import type { Vault } from '../calls/vault.ts';
import type { Hook } from '../define/hook.ts';
import type { AnyPipeline, AskOptions, AskReply, AskRequest, HookContext, RunChild } from '../define/hook-context.ts';
import type { Model } from '../define/model.ts';
import type { Plan } from '../define/plan.ts';
import { RunState } from '../define/state.ts';
import { Fifo } from '../flow/fifo.ts';
import { createLifetime, type Lifetime } from '../flow/lifetime.ts';
import type { ParentLogger } from '../logger.ts';
import type { Settings } from '../settings.ts';
import { redactEvent, redactStep, redactText } from '../trace/redact-text.ts';
import type { Tracer } from '../trace/tracer.ts';
import type { Delivery, MediaStore, RunOptions, SuspendedChild } from './run.ts';
import type { StepFailure } from './step-failure.ts';

/** What all runs of one agent on a pipeline share. */
export interface RunHost {
  readonly pipeline: HostPipeline;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly tracer: Tracer | undefined;
  /** Tells observers and the hot stream. */
  readonly publish: (event: SettledEvent, scope: RunScope) => void;
  /** Shows an event of a sub-agent that runs on other hooks to whoever watches this pipeline. */
  readonly relay: (event: SettledEvent) => void;
  /** What `context.ask` and `context.child` do. They run phases, which know of runs, and not the other way round. */
  readonly ask: (scope: RunScope, within: Lifetime, request: AskRequest, options?: AskOptions) => Observable<AskReply>;
  readonly childFor: (scope: RunScope, hook: Hook, within: Lifetime) => RunChild;
}

/** A pipeline, as its runs know it. */
interface HostPipeline extends AnyPipeline {
  readonly hooks: readonly Hook[];
  without(name: string): AnyPipeline;
}

/** All that one run keeps while it lasts. A class for its weight: ten thousand runs go on side by side. */
export class RunScope {
  // What every chunk needs stands together.
  seq = 0;
  readonly host: RunHost;
  readonly info: RunInfo;
  readonly leases: (Lease | undefined)[];
  /** What waits for observers that take their time. */
  queues: (ObserverQueue | undefined)[] | undefined = undefined;
  readonly lifetime: Lifetime;
  readonly dryRun: boolean;
  readonly deliver: ((delivery: Delivery) => unknown) | undefined;
  readonly mediaStore: MediaStore | undefined;
  readonly transcript: () => readonly Message[];
  suspendedChildren: Map<string, SuspendedChild> | undefined = undefined;
  /** Nothing begins behind the end. A run that never begins may reason and act. */
  stage: 'new' | 'begun' | 'ended' = 'new';
  iteration: number;
  /** Retries in a row. */
  retries: number;
  /** Why the run cannot go on, once it cannot. */
  fatal: StepFailure | undefined = undefined;
  /** The hook that has ended the run. */
  abortedBy: string | undefined = undefined;
  /** What a hook answered to a failure outside the reasonings. */
  recovered: Message | undefined = undefined;
  /** The text that got out of a reasoning that did not come to its end. */
  unfinished: { partial(): Message | undefined } | undefined = undefined;
  /** What hooks have used by asking models. */
  askedUsage: Usage | undefined = undefined;
  /** The model that the run reasons with, as far as it is known. */
  model: Model | undefined;
  /** The first queued event; usually there is no other. */
  #untold: SettledEvent | undefined = undefined;
  #more: Fifo<SettledEvent> | undefined = undefined;
  #telling = false;
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

  /** Puts an event in line that has settled: its consumer hears it first. */
  queue(event: SettledEvent): void {
    if (this.#untold === undefined) this.#untold = event;
    else {
      this.#more ??= new Fifo();
      this.#more.push(event);
    }
  }

  /** Tells those who only watch, in the order of settling: what they do about one event may settle the next. */
  tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    for (let event = this.#untold; event; event = this.#untold) {
      this.#untold = this.#more?.shift();
      this.host.publish(event, this);
    }
    this.#telling = false;
  }
}

const noTranscript = (): readonly Message[] => [];

/** Stamps an event with its place and time. Whoever yields it is its consumer's first; everybody who only watches is told then. */
export function settle<E extends GateEvent>(scope: RunScope, event: E): SettledEvent<E> {
  const seq = scope.seq;
  const time = scope.settings.scheduler.now();
  scope.seq = seq + 1;
  // The stamp comes first: V8 takes some ten times longer to add fields behind a spread than before it.
  const clean = redactEvent(scope, firstAbort(scope, event));
  const settled = { seq, time, ...(clean === event ? event : freezeEvent(clean)) } as SettledEvent<E>;
  Object.freeze(settled);
  scope.tracer?.settled(event, settled, (step) => redactStep(scope, step));
  scope.queue(settled as SettledEvent);
  return settled;
}

/** The event, unless a hook has ended the run before: of a later abort, by a call beside the first one's, no rollback is left. */
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

/** What waits for one observing hook of one run. */
export interface ObserverQueue {
  busy: boolean;
  /** Whether it is being worked off: an observer that is done at once comes back from within. */
  draining: boolean;
  chunks: number;
  dropped: number;
  readonly waiting: Fifo<SettledEvent>;
}

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
