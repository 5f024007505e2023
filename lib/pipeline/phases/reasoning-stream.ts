import type { Observable } from 'rxjs';
import { checkFields } from '../../errors/check-fields.ts';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { isThenable } from '../../events/values/is-async.ts';
import { type Next, WrappedStep, type Wrapping } from '../around/around.ts';
import { type Lane, type LaneSource, streamThroughLane } from '../chunks/lane.ts';
import { OpenBlock } from '../chunks/open-block.ts';
import { createSource, type SourceOptions } from '../chunks/source.ts';
import type { HookContext } from '../define/hook-context.ts';
import type { Model, ModelChunk, ModelRequest } from '../define/model.ts';
import type { AroundStage } from '../define/plan.ts';
import { LazySignal, type Signalling } from '../flow/lifetime.ts';
import { hookFailure, logFailure, StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { ModelFeed, type ModelFeedHost } from './model-feed.ts';
import type { Reply } from './reply.ts';

/**
 * Sends the model request and passes its stream through the chunk lane. Emits nothing: the chunks go to the step's consumer, and `reply`
 * collects the message. Errors with a `StepFailure`. Completes early, without flushing, if the step is cancelled.
 */
export function streamReasoning(
  step: StepScope,
  pre: SettledEvent<PreReasoning>,
  model: Model,
  reply: Reply,
): Observable<never> {
  return streamThroughLane<ReasoningChunk, ModelChunk>(
    step,
    step.scope.plan.lanes.reasoningChunk,
    reply,
    (lane) => new ModelStep(step, pre, model, reply, lane),
  );
}

type Wrapper = AroundStage<'reasoning'>;

interface ModelCall {
  readonly request: ModelRequest;
  readonly model: Model;
}

/** A model request with its wrappers and attempts. A class to save memory: it lives as long as the stream. */
class ModelStep implements LaneSource<ModelChunk>, ModelFeedHost, Wrapping<Wrapper, ModelCall, ModelChunk> {
  readonly step: StepScope;
  readonly reply: Reply;
  readonly #pre: SettledEvent<PreReasoning>;
  readonly #model: Model;
  readonly #lane: Lane<ReasoningChunk>;
  readonly #wrapped: WrappedStep<Wrapper, ModelCall, ModelChunk>;
  /** The request of the event. */
  #first: ModelRequest | undefined = undefined;
  /** A new one for each attempt. */
  #feed: ModelFeed;

  constructor(
    step: StepScope,
    pre: SettledEvent<PreReasoning>,
    model: Model,
    reply: Reply,
    lane: Lane<ReasoningChunk>,
  ) {
    this.step = step;
    this.reply = reply;
    this.#pre = pre;
    this.#model = model;
    this.#lane = lane;
    this.#wrapped = new WrappedStep<Wrapper, ModelCall, ModelChunk>(this);
    this.#feed = new ModelFeed(this);
  }

  get stages(): readonly Wrapper[] {
    return this.step.scope.plan.arounds.reasoning;
  }

  get isStaged(): boolean {
    return this.step.scope.plan.lanes.reasoningChunk.length > 0;
  }

  start(): Observable<ModelChunk> {
    const { messages, tools, options, model } = this.#pre;
    const request = { messages, tools, options, ...(model !== undefined && { model }) };
    this.#first = request;
    return this.#wrapped.run({ request, model: this.#model });
  }

  take(chunk: ModelChunk): void {
    this.#feed.take(chunk);
  }

  failureOf(thrown: unknown): StepFailure {
    return this.#wrapped.blame.failureOf(thrown);
  }

  core({ request, model }: ModelCall): Observable<ModelChunk> {
    return createSource<ModelChunk>(new ModelSource(this.step, this.#lane, model, request));
  }

  call(stage: Wrapper, next: Next<ModelCall, ModelChunk>, context: HookContext, asked: ModelCall): unknown {
    const ask = (own?: Partial<ModelRequest>, model?: Model) =>
      next(own !== undefined || model !== undefined ? (asked) => changedRequest(stage, asked, own, model) : undefined);
    const whenIdle = (callback: () => unknown) => this.#lane.whenIdle(() => this.callBack(stage, callback));
    return stage.around(this.eventFor(asked), Object.assign(ask, { whenIdle }), context);
  }

  /** Runs in the lane, where an error would be attributed to the hook of the next chunk. */
  private callBack({ hook }: Wrapper, callback: () => unknown): void {
    const failed = (thrown: unknown): void => {
      const failure = hookFailure(hook.name, 'around.reasoning', thrown, false);
      logFailure(this.step.scope.log, 'preReasoning', failure);
      if (!this.#lane.over) this.#lane.fail(failure);
    };
    try {
      const returned = callback();
      if (isThenable(returned)) returned.then(undefined, failed);
    } catch (thrown) {
      failed(thrown);
    }
  }

  /** The event that a wrapper receives: the settled one, with the request of the outer wrappers. */
  private eventFor({ request }: ModelCall): SettledEvent<PreReasoning> {
    if (request === this.#first) return this.#pre;
    const { model: _, ...pre } = this.#pre;
    return Object.freeze(Object.assign(pre, request));
  }

  differing({ request, model }: ModelCall, other: ModelCall): readonly string[] {
    const keys = Object.keys({ ...request, ...other.request }) as (keyof ModelRequest)[];
    const changed = new Set<string>(keys.filter((key) => request[key] !== other.request[key]));
    return [...(model === other.model ? changed : changed.add('model'))];
  }

  newAttempt(): void {
    // A request after the end must not retract the output that is still in flight.
    if (this.#lane.over) return;
    this.step.attempt += 1;
    this.#lane.discard();
    this.reply.reset();
    this.#feed = new ModelFeed(this);
  }

  open(part: ReasoningChunk['part'], block: number, toolCallId?: string): OpenBlock<ReasoningChunk> {
    const run = this.step.scope.info;
    const { iteration } = this.#pre;
    const attempt = this.step.attempt;
    const template = { type: 'reasoningChunk', run, iteration, part, delta: '', block, attempt, last: false } as const;
    return new OpenBlock(this.#lane, toolCallId === undefined ? template : { ...template, toolCallId });
  }

  /** Calls `action` after the lane has processed all earlier chunks, unless that ended the attempt. */
  later(action: () => void): void {
    const attempt = this.step.attempt;
    this.#lane.whenIdle(() => {
      if (this.#lane.over || this.step.attempt !== attempt) return;
      try {
        action();
      } catch (thrown) {
        this.#lane.fail(new StepFailure('model', thrown));
      }
    });
  }
}

function changedRequest(
  { hook }: Wrapper,
  asked: ModelCall,
  own: Partial<ModelRequest> | null | undefined,
  model: Model | null | undefined,
): ModelCall {
  const issue = checkNext(own ?? {}, model ?? undefined);
  if (issue !== undefined)
    throw new HooklineError('HOOK_CONTRACT', `Hook "${hook.name}" (around.reasoning): next(request, model): ${issue}.`);
  if (!model) return { ...asked, request: { ...asked.request, ...own } };
  // The name in the request is of the other model.
  const { model: _, ...request } = asked.request;
  const named = model.modelId === undefined ? request : { ...request, model: model.modelId };
  return { request: { ...named, ...own }, model };
}

function checkNext(own: Partial<ModelRequest>, model: unknown): string | undefined {
  const issue = checkFields(own, ['messages', 'tools', 'model', 'options']);
  if (issue !== undefined) return `the request ${issue}`;
  const list = (['messages', 'tools'] as const).find((key) => own[key] !== undefined && !Array.isArray(own[key]));
  if (list !== undefined) return `${list} must be a list`;
  return model === undefined || typeof model === 'function' ? undefined : 'the model must be a function of a request';
}

/** One request to the model. */
class ModelSource implements SourceOptions<ModelChunk> {
  readonly step: StepScope;
  readonly lane: Lane<ReasoningChunk>;
  readonly #model: Model;
  readonly #asked: ModelRequest;

  constructor(step: StepScope, lane: Lane<ReasoningChunk>, model: Model, asked: ModelRequest) {
    this.step = step;
    this.lane = lane;
    this.#model = model;
    this.#asked = asked;
  }

  get what(): string {
    return this.#asked.model === undefined ? 'model' : `model "${this.#asked.model}"`;
  }

  start(answer: Signalling): unknown {
    return this.#model(this.#asked, new LazySignal(answer));
  }
}
