import type { Observable } from 'rxjs';
import { onAbort } from '../agent/on-abort.ts';
import type { PhaseResults } from '../agent/phase-results.ts';
import { watchSafely } from '../agent/run-watcher.ts';
import { logMissingApprovers } from '../agent/suspend/missing-approvers.ts';
import { resultPart, toolMessage } from '../agent/transcript/close-orphans.ts';
import { messageOf } from '../errors/describe-thrown.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { toolCallsOf } from '../events/parts/messages.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import { errorResult } from '../events/parts/tool-result.ts';
import { addUsage, type Usage } from '../events/parts/usage.ts';
import type { PostReasoning } from '../events/post-reasoning.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import { createLifetime, type Lifetime } from '../pipeline/flow/lifetime.ts';
import type { ReasoningInput, Run, RunOptions } from '../pipeline/run/run.ts';
import { checkedStart } from './check-hooks.ts';
import { endingOf } from './ending-of.ts';
import { type JudgedCall, judgeCall, judgedTwice } from './judge-call.ts';
import type { LoopCall, LoopEnding, LoopJudgeOptions, LoopRun, LoopRunOptions, ModelStepResult } from './loop-run.ts';
import { countingAnswer, type JudgedWith, judgedAgain, toKeep, withAnswer } from './pending/answer-pending.ts';
import { type PhaseRecord, recordPhase } from './record-phase.ts';
import { RunAborted } from './run-aborted.ts';
import { RunFailure } from './run-failure.ts';

/** Starts a run of a framework's loop, see `LoopRun`. `state` is the state of an earlier run of the session (`run.state()`). */
export function startLoopRun(pipeline: Pipeline, options: LoopRunOptions & Pick<RunOptions, 'state'>): LoopRun {
  return new StartedLoopRun(pipeline, checkedStart(pipeline, options));
}

const UNUSED = 'the loop continued without running it';

class StartedLoopRun implements LoopRun {
  readonly run: Run;
  readonly #options: LoopRunOptions;
  readonly #failure: RunFailure;
  readonly #stop = new AbortController();
  /** The lifetime of all calls: a call that aborts ends the others. */
  readonly #calls: Lifetime;
  readonly #unlink: () => void;
  /** Calls of the last message that have not run and are not closed. */
  #open = new Map<string, ToolCall>();
  readonly #ready = new Set<JudgedCall>();
  /** Calls without an answer. */
  readonly #suspended = new Set<string>();
  /** Evaluated calls of the last message, except suspended ones. */
  readonly #judged = new Set<string>();
  #finishing = false;
  #begun = false;
  #answered = false;
  #last: Message | undefined;
  #usage: Usage | undefined;
  #ended: Promise<EventOf<'postCall'> | undefined> | undefined;

  constructor(pipeline: Pipeline, options: Parameters<typeof startLoopRun>[1]) {
    const { signal, onEvent: _, pendingCalls: __, resumes, runs, ...start } = options;
    this.#options = options;
    watchSafely(runs, pipeline, pipeline.options.log);
    this.run = pipeline.start({
      ...start,
      ...(resumes && { resumedFrom: resumes.run.runId, state: resumes.state, iteration: resumes.iteration }),
    });
    this.#failure = new RunFailure(this.run);
    this.#calls = createLifetime(this.run.lifetime);
    this.run.lifetime.onCancel({
      cancel: (reason) =>
        this.stopWith(signal?.aborted ? signal.reason : new DOMException(reason ?? 'cancelled', 'AbortError')),
    });
    if (resumes) logMissingApprovers(this.run, resumes.approvers ?? []);
    this.#unlink = signal ? onAbort(signal, () => this.run.cancel(messageOf(signal.reason))) : () => {};
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get finishing(): boolean {
    return this.#finishing;
  }

  async begin(messages: readonly Message[]): ReturnType<LoopRun['begin']> {
    this.#begun = true;
    const results = await this.record(this.run.begin(messages));
    this.check(results);
    const { messages: settled = [], decision } = results.preCall ?? {};
    const answer = decision?.action === 'respond' ? decision.message : this.run.recovered;
    if (!answer) return { messages: settled };
    this.#answered = true;
    this.#last = answer;
    return { messages: settled, answer };
  }

  async reason(
    request: ReasoningInput,
    model: Model,
    onChunk?: (chunk: EventOf<'reasoningChunk'>) => void,
  ): Promise<ModelStepResult> {
    this.#stop.signal.throwIfAborted();
    await this.close(UNUSED);
    // Some models repeat ids in each message.
    this.#judged.clear();
    let { messages } = request;
    for (;;) {
      const asked = this.run.reason({ ...request, messages }, model);
      const results = await this.record(asked, (event) => event.type === 'reasoningChunk' && onChunk?.(event));
      const post = results.postReasoning;
      this.#usage = addUsage(this.#usage, post?.usage);
      this.#open = new Map(toolCallsOf(post?.message).map((call) => [call.id, call]));
      if (results.source === 'model' && !this.#stop.signal.aborted) throw this.#failure.ofModel();
      this.check(results);
      if (!post) throw this.stopWith(this.run.fatal);
      this.#failure.model = undefined;
      this.#last = post.message;
      this.#answered = post.finishReason === 'responded';
      const { decision } = post;
      if (decision?.action !== 'retry') return this.reasoned(post, decision?.action === 'finish');
      const closed = await this.close(`hook "${decision.by}" asked the model to reason again`);
      messages = [...messages, post.message, ...closed, ...(decision.messages ?? [])];
    }
  }

  async judge(call: ToolCall, tools: readonly Tool[], options: LoopJudgeOptions = {}): Promise<LoopCall> {
    // A call that is not evaluated stays open and is closed at the end.
    this.#stop.signal.throwIfAborted();
    if (this.#judged.has(call.id)) throw judgedTwice(call);
    // Some hosts, such as MCP, bring calls of no message, and may repeat an id.
    if (this.#open.delete(call.id) || this.#suspended.delete(call.id)) this.#judged.add(call.id);
    const answer = await countingAnswer(this.#options, call, options.answer);
    let given = withAnswer(call, answer, this.#options.resumes);
    let judged = await this.judgeWith(given, tools, options);
    const again = judgedAgain(judged.event, given, answer, options.unasked);
    if (again) {
      given = again;
      judged = await this.judgeWith(given, tools, options);
    }
    if (judged.state === 'suspended') return this.hold(call, given, judged);
    if (judged.state === 'ready') this.#ready.add(judged);
    return {
      ...judged,
      execute: async () => {
        this.#ready.delete(judged);
        const post = await judged.execute();
        // Some hosts run a failed call again.
        if (post?.outcome === 'failed') this.#judged.delete(call.id);
        this.#stop.signal.throwIfAborted();
        return post;
      },
    };
  }

  end(ending: LoopEnding = {}): Promise<EventOf<'postCall'> | undefined> {
    this.#ended ??= this.#begun ? this.conclude(ending) : Promise.resolve(undefined);
    return this.#ended;
  }

  private async conclude({ error, usage, ...given }: LoopEnding): Promise<EventOf<'postCall'> | undefined> {
    await this.close('the run has ended');
    const failed = this.#stop.signal.reason ?? this.#failure.model?.error ?? error;
    // The model's error has already been reported.
    if (error !== undefined && !this.#stop.signal.aborted && !this.#failure.model)
      await this.record(this.run.fail(error));
    const total = usage ?? this.#usage;
    const { cancelled } = this.run.lifetime;
    const happened = { answered: this.#answered, finishing: this.#finishing, last: this.#last };
    const how = { cancelled, suspended: this.#suspended.size > 0, ...happened };
    const made = { ...endingOf(failed, how), ...(failed === undefined && given), ...(total && { usage: total }) };
    let post: EventOf<'postCall'> | undefined;
    await this.record(this.run.end(made), (event) => {
      if (event.type === 'postCall') post = event;
    });
    this.#unlink();
    return post;
  }

  private async judgeWith(
    { start, answers, pending }: JudgedWith,
    tools: readonly Tool[],
    { onChunk, signal }: LoopJudgeOptions,
  ): Promise<JudgedCall> {
    this.#stop.signal.throwIfAborted();
    const onEvent = (event: SettledEvent): void => {
      this.#options.onEvent?.(event);
      if (event.run.runId !== this.run.info.runId) return;
      if (event.type === 'actingChunk') onChunk?.(event);
      if (event.type === 'postActing' && event.decision?.action === 'finish') this.#finishing = true;
      if (event.decision?.action === 'abort') this.stopWith(new RunAborted(event.decision));
      else if (event.type === 'postActing' && this.#failure.fatal !== undefined) this.stopWith(this.#failure.fatal);
    };
    const judged = await judgeCall(this.run, start, tools, {
      answers,
      ...(pending && { pending }),
      lifetime: this.#calls,
      onEvent,
      ...(signal && { signal }),
    });
    this.#stop.signal.throwIfAborted();
    return judged;
  }

  private async hold(call: ToolCall, given: JudgedWith, judged: JudgedCall): Promise<LoopCall> {
    this.#suspended.add(call.id);
    this.#judged.delete(call.id);
    const pending = toKeep(this.run, call, judged.event, given);
    if (!pending) return judged;
    await this.#options.pendingCalls?.keep(this.#options, pending);
    return { ...judged, pending };
  }

  private reasoned(post: PostReasoning, finished: boolean): Promise<ModelStepResult> | ModelStepResult {
    const { message, finishReason, usage } = post;
    if (!finished) return { message, finishReason, usage, finished };
    this.#finishing = true;
    const without = { ...message, parts: message.parts.filter(({ type }) => type !== 'toolCall') };
    return this.close('a hook ended the run').then(() => ({ message: without, finishReason: 'stop', usage, finished }));
  }

  /** Closes the calls that have not run. */
  private async close(why: string): Promise<readonly Message[]> {
    const calls = [...this.#open.values()];
    this.#open.clear();
    const ready = [...this.#ready];
    this.#ready.clear();
    await Promise.all(ready.map((judged) => judged.skip(why)));
    for (const call of calls) await this.record(this.run.act(call, [], { skip: why }));
    if (calls.length === 0) return [];
    return [toolMessage(calls.map((call) => resultPart(call, errorResult(`The call was not started: ${why}.`))))];
  }

  /** Throws the error that stops the run, if any. */
  private check({ abort }: PhaseResults): void {
    if (abort) throw this.stopWith(new RunAborted(abort));
    this.#stop.signal.throwIfAborted();
    if (this.#failure.fatal !== undefined && !this.run.recovered) throw this.stopWith(this.#failure.fatal);
  }

  private stopWith(error: unknown): unknown {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort(error);
      this.#calls.cancel(messageOf(error));
    }
    return this.#stop.signal.reason;
  }

  private record(events$: Observable<SettledEvent>, onOwn?: (event: SettledEvent) => unknown): Promise<PhaseRecord> {
    return recordPhase(events$, this.run.info.runId, (event) => this.#options.onEvent?.(event), onOwn);
  }
}
