import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { keepPrefix } from '../../loops/keep-prefix.ts';
import type { LoopRun, ModelStepResult } from '../../loops/loop-run.ts';
import { InterruptedRun } from '../../loops/pending/interrupted-run.ts';
import type { PendingCallRecord } from '../../loops/pending/pending-call-record.ts';
import { RunAborted } from '../../loops/run-aborted.ts';
import { asHost } from '../../loops/run-failure.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
import { hookReply } from '../../loops/whole-reply.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Model } from '../../pipeline/define/model.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import type { ReasoningInput } from '../../pipeline/run/run.ts';
import type { HooklineOptions } from './hookline-options.ts';
import type { HostMessage } from './host-strands.ts';
import { createMessages } from './messages.ts';
import type { CallsUnderWay } from './own-tool.ts';
import type { RequestScene } from './requests.ts';
import type { HostStrands } from './strands-module.ts';

/** Data that all runs of an agent share. */
export interface Scene {
  readonly strands: HostStrands;
  readonly pipeline: Pipeline;
}

interface Begun {
  readonly loop: LoopRun;
  readonly scene: RequestScene;
  /** The answer that a hook gave in preCall, if any. */
  readonly answer?: Message;
}

/** One run, for one invocation of an agent. It starts with the first model request, or with the call that it resumes. */
export class HostRun extends InterruptedRun<Begun> {
  readonly calls: CallsUnderWay = new Map();
  readonly buffer: boolean;
  /** The error of the last model request. */
  error: unknown;
  readonly #scene: Scene;
  readonly settings: HooklineOptions;
  readonly #signal: AbortSignal;

  constructor(scene: Scene, settings: HooklineOptions, signal: AbortSignal) {
    super();
    this.#scene = scene;
    this.settings = settings;
    this.#signal = signal;
    this.buffer = settings.buffer ?? false;
  }

  get finishing(): boolean {
    return this.started?.finishing ?? false;
  }

  /** The error that the invocation should reject with, if a hook ended the run. */
  get aborted(): RunAborted | undefined {
    const reason: unknown = this.started?.signal.reason;
    return reason instanceof RunAborted ? reason : undefined;
  }

  begun(messages: readonly HostMessage[]): Promise<Begun> {
    this.beginning ??= this.begin(messages);
    return this.beginning;
  }

  /** Returns the started run. If the model has had no request yet, the run resumes a pending call. */
  going(messages: readonly HostMessage[], pending: PendingCallRecord | undefined): Promise<Begun> {
    return this.startedOr(() => this.begin(messages, pending));
  }

  async reason(
    request: ReasoningInput,
    model: Model,
    onChunk: ((chunk: EventOf<'reasoningChunk'>) => void) | undefined,
  ): Promise<ModelStepResult> {
    const { loop, answer } = (await this.beginning) as Begun;
    if (answer) return hookReply(answer);
    // A hook has ended the run, which Strands cannot detect.
    if (loop.finishing) return hookReply();
    return asHost(loop.reason(request, model, onChunk));
  }

  /** Returns the next run when Strands retries a failed model request, because a failed run does not continue. */
  async next(): Promise<HostRun> {
    if (this.error === undefined || this.aborted || this.#signal.aborted) return this;
    await this.end();
    return new HostRun(this.#scene, this.settings, this.#signal);
  }

  async end(): Promise<void> {
    await this.beginning?.catch(() => {});
    const { error, suspended } = this;
    await this.started?.end({ ...(error !== undefined && { error }), ...(suspended && { outcome: 'suspended' }) });
  }

  private async begin(messages: readonly HostMessage[], resumes?: PendingCallRecord): Promise<Begun> {
    const { strands, pipeline } = this.#scene;
    const { buffer: _, ...options } = this.settings;
    const loop = startLoopRun(pipeline, { ...options, signal: this.#signal, ...(resumes && { resumes }) });
    this.started = loop;
    const known = createMessages(strands);
    const began = known.fromHost(messages);
    const { messages: settled, answer } = await loop.begin(began);
    const log = pipeline.options.log ?? consoleLogger;
    const withPrefix = keepPrefix({ began, settled }, log);
    return { loop, scene: { messages: known, withPrefix, brought: pipeline.tools, log }, ...(answer && { answer }) };
  }
}
