import { memberOf } from '../../errors/describe-thrown.ts';
import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { HeldCall } from '../../loops/held/held-call.ts';
import { takeHeldCall } from '../../loops/held/held-calls.ts';
import { keepPrefix } from '../../loops/keep-prefix.ts';
import type { LoopRun, Reasoned } from '../../loops/loop-run.ts';
import { RunAborted } from '../../loops/run-aborted.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
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

/** What all runs of one agent have in common. */
export interface Scene {
  readonly strands: HostStrands;
  readonly pipeline: Pipeline;
}

interface Begun {
  readonly loop: LoopRun;
  readonly scene: RequestScene;
  /** What preCall has answered in the place of the run. */
  readonly answer?: Message;
}

/** One invocation of an agent: one run. It begins with the first request to the model, or with the call that is gone on with. */
export class HostRun {
  readonly calls: CallsUnderWay = new Map();
  readonly buffer: boolean;
  /** Whether a tool waits for an answer to a question of its own. */
  suspended = false;
  /** What a request to the model has failed of. */
  error: unknown;
  readonly #scene: Scene;
  readonly #settings: HooklineOptions;
  readonly #signal: AbortSignal;
  #begun: Promise<Begun> | undefined;
  #loop: LoopRun | undefined;
  #resumes = false;

  constructor(scene: Scene, settings: HooklineOptions, signal: AbortSignal) {
    this.#scene = scene;
    this.#settings = settings;
    this.#signal = signal;
    this.buffer = settings.buffer ?? false;
  }

  get finishing(): boolean {
    return this.#loop?.finishing ?? false;
  }

  /** What the host is to reject with, where a hook has ended the run. */
  get aborted(): RunAborted | undefined {
    const reason: unknown = this.#loop?.signal.reason;
    return reason instanceof RunAborted ? reason : undefined;
  }

  begun(messages: readonly HostMessage[]): Promise<Begun> {
    this.#begun ??= this.begin(messages);
    return this.#begun;
  }

  /** The run, which goes on with a call where the model has not been asked yet. */
  going(messages: readonly HostMessage[], held: HeldCall | undefined): Promise<Begun> {
    if (!this.#begun) {
      this.#resumes = true;
      this.#begun = this.begin(messages, held);
    }
    return this.#begun;
  }

  async reason(
    request: ReasoningInput,
    model: Model,
    onChunk: ((chunk: EventOf<'reasoningChunk'>) => void) | undefined,
  ): Promise<Reasoned> {
    const { loop, answer } = (await this.#begun) as Begun;
    if (answer) return { message: answer, finishReason: 'responded', usage: undefined, finished: true };
    // A hook has ended the run, in a way that the host has not seen.
    if (loop.finishing)
      return { message: { role: 'assistant', parts: [] }, finishReason: 'responded', usage: undefined, finished: true };
    try {
      return await loop.reason(request, model, onChunk);
    } catch (thrown) {
      // The host knows its own errors: what a model has thrown reaches it as it was.
      throw memberOf(thrown, 'code') === 'MODEL_FAILED' ? (memberOf(thrown, 'cause') ?? thrown) : thrown;
    }
  }

  /** The run that takes over where the host asks a model once more that has failed: a run that has failed does not go on. */
  async next(): Promise<HostRun> {
    if (this.error === undefined || this.aborted || this.#signal.aborted) return this;
    await this.end();
    return new HostRun(this.#scene, this.#settings, this.#signal);
  }

  /** Takes a call out of the store where it waits: only a run that goes on has such calls. */
  async take(toolCallId: string): Promise<HeldCall | undefined> {
    if (this.#begun && !this.#resumes) return undefined;
    return takeHeldCall(this.#settings.held, this.#settings, toolCallId);
  }

  async keep(held: HeldCall): Promise<void> {
    await this.#settings.held?.keep(this.#settings, held);
  }

  /** Nobody reads what the run says. */
  leave(): void {
    this.#loop?.run.cancel('the stream was left');
  }

  async end(): Promise<void> {
    await this.#begun?.catch(() => {});
    const { error, suspended } = this;
    await this.#loop?.end({ ...(error !== undefined && { error }), ...(suspended && { outcome: 'suspended' }) });
  }

  private async begin(messages: readonly HostMessage[], resumes?: HeldCall): Promise<Begun> {
    const { strands, pipeline } = this.#scene;
    const { buffer: _, ...options } = this.#settings;
    const loop = startLoopRun(pipeline, { ...options, signal: this.#signal, ...(resumes && { resumes }) });
    this.#loop = loop;
    const known = createMessages(strands);
    const began = known.fromHost(messages);
    const { messages: settled, answer } = await loop.begin(began);
    const log = pipeline.options.log ?? consoleLogger;
    const withPrefix = keepPrefix({ began, settled }, log);
    return { loop, scene: { messages: known, withPrefix, brought: pipeline.tools, log }, ...(answer && { answer }) };
  }
}
