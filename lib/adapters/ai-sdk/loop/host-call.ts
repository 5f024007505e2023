import { onAbort } from '../../../agent/on-abort.ts';
import type { EventOf, SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { Permission } from '../../../events/parts/tool-description.ts';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import { keepKnown } from '../../../loops/keep-known.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../../loops/pending/pending-call-record.ts';
import { takePendingCalls } from '../../../loops/pending/pending-call-store.ts';
import { RunAborted } from '../../../loops/run-aborted.ts';
import { startLoopRun } from '../../../loops/start-loop-run.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import { consoleLogger } from '../../../pipeline/logger.ts';
import type { SpecificationVersion } from '../language-model.ts';
import { answersIn, type GivenAnswer } from './approvals/answers-in.ts';
import type { CallOptions } from './call-options.ts';
import { fromHostMessage } from './history/from-host-message.ts';
import { type Bridge, createBridge, historyIn } from './history/prompt-bridge.ts';
import type { HostMessage } from './host-ai.ts';

/** A call of `generateText` or `streamText`, which is one run. The run starts with the first model request or tool call. */
export class HostCall {
  readonly buffer: boolean;
  /** The tools of the call, for the run. */
  tools: readonly Tool[] = [];
  /** Why no approval is possible in this version of the SDK. */
  unasked: string | undefined;
  /** The hook that ended the last model step, if any. */
  endedBy: string | undefined;
  readonly #pipeline: Pipeline;
  readonly #options: CallOptions;
  readonly #stop = new AbortController();
  readonly #cancel = new AbortController();
  /** The signals that cancel the run, each with a function that stops it. */
  #followed = new Map<AbortSignal, () => void>();
  readonly #answers: Map<string, GivenAnswer>;
  readonly #judged = new Map<string, { readonly json: string; readonly judged: Promise<LoopCall> }>();
  readonly #given: AbortSignal | undefined;
  readonly #asked = new Set<string>();
  readonly #read = keepKnown(fromHostMessage);
  #run: Promise<Begun> | undefined;
  #loop: LoopRun | undefined;
  #bridge: Bridge | undefined;

  constructor(pipeline: Pipeline, options: CallOptions, messages: readonly HostMessage[], signal?: AbortSignal) {
    this.#pipeline = pipeline;
    this.#options = options;
    this.buffer = options.buffer ?? false;
    this.#given = signal;
    this.follow(signal);
    this.#answers = new Map(answersIn(messages, options.answers));
  }

  /** Aborts if a hook ends the run. The reason is a `RunAborted`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get aborts(): boolean {
    return this.#stop.signal.aborted;
  }

  get finishing(): boolean {
    return this.#loop?.finishing ?? false;
  }

  /** Returns the run, and starts it with these messages if necessary. `signal` is the request's own, and includes the host's timeouts. */
  async begun(
    prompt: readonly HostMessage[],
    version: SpecificationVersion = 'v3',
    signal?: AbortSignal,
  ): Promise<Begun & { bridge: Bridge }> {
    this.follow(this.#given, signal);
    const begun = await this.begin(prompt);
    this.#bridge ??= createBridge(begun, {
      version,
      log: this.#pipeline.options.log ?? consoleLogger,
      mediaStore: this.#options.mediaStore,
      read: this.#read,
      permissionOf: (name) => this.permissionOf(name),
    });
    return { ...begun, bridge: this.#bridge };
  }

  /** Returns the answer to a pending call. The call is evaluated with it when it is executed. */
  answerOf(toolCallId: string): GivenAnswer | undefined {
    return this.#answers.get(toolCallId);
  }

  /** Returns true if an approver suspended the call, in this call or before the answer. */
  hasAsked(toolCallId: string): boolean {
    return this.#asked.has(toolCallId);
  }

  /** Denies a call by the user's own policy. It overrides any answer. */
  decline(toolCallId: string, reason: string): void {
    this.#answers.set(toolCallId, { answer: { approved: false, reason } });
  }

  /** Evaluates a call, once. */
  judge(
    call: ToolCall,
    messages: readonly HostMessage[],
    onChunk?: (chunk: EventOf<'actingChunk'>) => void,
  ): Promise<LoopCall> {
    const json = JSON.stringify(call);
    const known = this.#judged.get(call.id);
    if (known?.json === json) return known.judged;
    const judged = this.begin(messages).then(({ run, pending }) => {
      const answer = this.#answers.get(call.id)?.answer;
      const kept = pending.get(call.id);
      return run.judge(call, this.tools, {
        ...(answer && { answer: { ...answer, ...(kept && { pending: kept }) } }),
        ...withoutUndefined({ unasked: this.unasked, onChunk }),
      });
    });
    this.#judged.set(call.id, { json, judged });
    return judged;
  }

  /** Forgets a finished call, because some models reuse its id. */
  forget(toolCallId: string): void {
    this.#judged.delete(toolCallId);
    this.#answers.delete(toolCallId);
  }

  /** Ends the run. Returns the reason of the abort, if there is one. */
  async end(error?: unknown): Promise<unknown> {
    await this.#run?.catch(() => {});
    await this.#loop?.end(error === undefined ? {} : { error });
    this.follow();
    return this.#loop?.signal.reason;
  }

  /** Cancels the run with the signals of the caller and of the latest request. */
  private follow(...signals: readonly (AbortSignal | undefined)[]): void {
    for (const [one, leave] of this.#followed) {
      if (signals.includes(one)) continue;
      leave();
      this.#followed.delete(one);
    }
    for (const one of signals) {
      if (!one || this.#followed.has(one)) continue;
      // Node keeps a combined signal as long as it has listeners, and an unread stream never ends.
      const call = new WeakRef(this);
      this.#followed.set(
        one,
        onAbort(one, () => call.deref()?.cancel(one.reason)),
      );
    }
  }

  /** After a hook's abort, the host's signals abort too. That is not another cancel. */
  private cancel(reason: unknown): void {
    if (!this.aborts) this.#cancel.abort(reason);
  }

  private permissionOf(name: string): Permission {
    return this.tools.find((tool) => tool.name === name)?.permission ?? 'external';
  }

  private begin(prompt: readonly HostMessage[]): Promise<Begun> {
    this.#run ??= this.start(prompt);
    return this.#run;
  }

  private async start(prompt: readonly HostMessage[]): Promise<Begun> {
    const { buffer: _, answers: __, ...options } = this.#options;
    const pending = await takePendingCalls(options.pendingCalls, options, this.#answers.keys());
    const [resumes] = pending.values();
    for (const id of pending.keys()) this.#asked.add(id);
    const run = startLoopRun(this.#pipeline, {
      ...options,
      onEvent: (event) => {
        this.note(event);
        options.onEvent?.(event);
      },
      signal: this.#cancel.signal,
      ...(resumes && { resumes }),
    });
    this.#loop = run;
    run.signal.addEventListener('abort', () => {
      if (run.signal.reason instanceof RunAborted) this.#stop.abort(run.signal.reason);
    });
    const history = historyIn(this.#read(prompt));
    // The SDK adds the results of answered calls to the last message, which changes it before the first step.
    const last = this.#answers.size > 0 ? history.findLastIndex(({ role }) => role !== 'tool') + 1 : history.length;
    const began = history.slice(0, last);
    const { messages: settled, answer } = await run.begin(began);
    for (const [id, { call, answer: given }] of this.#answers) {
      // A denied call never reaches a tool, so its denial is recorded here.
      if (call && !given.approved) await this.refuse(run, call, given, pending.get(id));
    }
    return { run, began, settled, pending, ...(answer && { answer }) };
  }

  private note(event: SettledEvent): void {
    const { decision } = event;
    if (event.run.runId !== this.#loop?.run.info.runId) return;
    if (event.type === 'preActing' && decision?.action === 'suspend') this.#asked.add(event.toolCall.id);
    if (event.type === 'preReasoning') this.endedBy = undefined;
    if (decision?.action === 'finish') this.endedBy = `Hook "${decision.by}" ended the run`;
    if (decision?.action === 'respond' && 'message' in decision)
      this.endedBy = `Hook "${decision.by}" responded instead of the model`;
  }

  private async refuse(
    run: LoopRun,
    call: ToolCall,
    answer: HostAnswer,
    pending: PendingCallRecord | undefined,
  ): Promise<void> {
    await run.judge(call, this.tools, { answer: { ...answer, ...(pending && { pending }) } });
  }
}

interface Begun {
  readonly run: LoopRun;
  readonly began: readonly Message[];
  readonly settled: readonly Message[];
  readonly pending: ReadonlyMap<string, PendingCallRecord>;
  readonly answer?: Message;
}
