import { onAbort } from '../../../agent/on-abort.ts';
import type { EventOf, SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { Permission } from '../../../events/parts/tool-description.ts';
import type { HeldCall } from '../../../loops/held/held-call.ts';
import { takeHeld } from '../../../loops/held/held-calls.ts';
import { keepMessages } from '../../../loops/keep-known.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../../loops/loop-run.ts';
import { RunAborted } from '../../../loops/run-aborted.ts';
import { startLoopRun } from '../../../loops/start-loop-run.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Tool } from '../../../pipeline/define/tool.ts';
import { consoleLogger } from '../../../pipeline/logger.ts';
import type { SpecificationVersion } from '../language-model.ts';
import { answersIn, type GivenAnswer } from './approvals/answers-in.ts';
import type { CallOptions } from './call-options.ts';
import { readHostMessage } from './history/from-host-message.ts';
import { type Bridge, createBridge, toldIn } from './history/prompt-bridge.ts';
import type { HostMessage } from './host-ai.ts';

/** One call of `generateText` or `streamText`: one run. It begins with what the host asks or runs first. */
export class HostCall {
  readonly buffer: boolean;
  /** Tools of the call, as the run knows them. */
  tools: readonly Tool[] = [];
  /** Why this version can ask nobody. */
  unasked: string | undefined;
  /** Which hook has ended the last request, if one has. */
  endedBy: string | undefined;
  readonly #pipeline: Pipeline;
  readonly #options: CallOptions;
  readonly #stop = new AbortController();
  readonly #cancel = new AbortController();
  #leave: (() => void)[] = [];
  readonly #answers: Map<string, GivenAnswer>;
  readonly #judged = new Map<string, { readonly said: string; readonly judged: Promise<LoopCall> }>();
  readonly #given: AbortSignal | undefined;
  readonly #asked = new Set<string>();
  readonly #keep = keepMessages();
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

  /** Aborts where a hook ends the run; its reason is a `RunAborted`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get aborts(): boolean {
    return this.#stop.signal.aborted;
  }

  get finishing(): boolean {
    return this.#loop?.finishing ?? false;
  }

  /** The run, begun with these messages if it has not begun yet. `signal` is the request's own, which has the time-outs of the host in it. */
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
      read: (messages) => this.read(messages),
      permissionOf: (name) => this.permissionOf(name),
    });
    return { ...begun, bridge: this.#bridge };
  }

  /** What waits for an answer that has been given; it is judged when it is executed. */
  answerOf(toolCallId: string): GivenAnswer | undefined {
    return this.#answers.get(toolCallId);
  }

  /** Whether an approver has asked about the call, which was judged: now, or before the answer came. */
  hasAsked(toolCallId: string): boolean {
    return this.#asked.has(toolCallId);
  }

  /** The host's own policy refuses a call, whatever somebody has said to it. */
  decline(toolCallId: string, reason: string): void {
    this.#answers.set(toolCallId, { answer: { approved: false, reason } });
  }

  /** Judges a call, once. */
  judge(
    call: ToolCall,
    messages: readonly HostMessage[],
    onChunk?: (chunk: EventOf<'actingChunk'>) => void,
  ): Promise<LoopCall> {
    const said = JSON.stringify(call);
    const known = this.#judged.get(call.id);
    if (known?.said === said) return known.judged;
    const judged = this.begin(messages).then(({ run, held }) => {
      const answer = this.#answers.get(call.id)?.answer;
      const kept = held.get(call.id);
      return run.judge(call, this.tools, {
        ...(answer && { answer: { ...answer, ...(kept && { held: kept }) } }),
        ...(this.unasked !== undefined && { unasked: this.unasked }),
        ...(onChunk && { onChunk }),
      });
    });
    this.#judged.set(call.id, { said, judged });
    return judged;
  }

  /** The call is over: some models give their next one the same id. */
  forget(toolCallId: string): void {
    this.#judged.delete(toolCallId);
    this.#answers.delete(toolCallId);
  }

  /** Ends the run as the host says, and gives why it was to stop, if it was. */
  async end(error?: unknown): Promise<unknown> {
    await this.#run?.catch(() => {});
    await this.#loop?.end(error === undefined ? {} : { error });
    this.follow();
    return this.#loop?.signal.reason;
  }

  /** Cancels the run by the caller's signal, and by that of the latest request. */
  private follow(...signals: readonly (AbortSignal | undefined)[]): void {
    for (const leave of this.#leave) leave();
    // Node keeps a signal made of others for as long as it has listeners, and a stream that nobody reads never ends.
    const call = new WeakRef(this);
    this.#leave = signals
      .filter((one) => one !== undefined)
      .map((one) => onAbort(one, () => call.deref()?.cancel(one.reason)));
  }

  /** What a hook aborts ends the host, whose signals tell it back. */
  private cancel(reason: unknown): void {
    if (!this.aborts) this.#cancel.abort(reason);
  }

  private permissionOf(name: string): Permission {
    return this.tools.find((tool) => tool.name === name)?.permission ?? 'external';
  }

  private read(prompt: readonly HostMessage[]): readonly Message[] {
    return this.#keep(prompt.map(readHostMessage));
  }

  private begin(prompt: readonly HostMessage[]): Promise<Begun> {
    this.#run ??= this.start(prompt);
    return this.#run;
  }

  private async start(prompt: readonly HostMessage[]): Promise<Begun> {
    const { buffer: _, answers: __, ...options } = this.#options;
    const held = await takeHeld(options.held, options, this.#answers.keys());
    const [resumes] = held.values();
    for (const id of held.keys()) this.#asked.add(id);
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
    const told = toldIn(this.read(prompt));
    // The results of answered calls come into the last message, which the first step begins with another form of.
    const last = this.#answers.size > 0 ? told.findLastIndex(({ role }) => role !== 'tool') + 1 : told.length;
    const began = told.slice(0, last);
    const { messages: settled, answer } = await run.begin(began);
    for (const [id, { call, answer: given }] of this.#answers) {
      // A no never reaches a tool, so nobody would tell of it.
      if (call && !given.approved) await this.refuse(run, call, given, held.get(id));
    }
    return { run, began, settled, held, ...(answer && { answer }) };
  }

  private note(event: SettledEvent): void {
    const { decision } = event;
    if (event.run.runId !== this.#loop?.run.info.runId) return;
    if (event.type === 'preActing' && decision?.action === 'suspend') this.#asked.add(event.toolCall.id);
    if (event.type === 'preReasoning') this.endedBy = undefined;
    if (decision?.action === 'finish') this.endedBy = `Hook "${decision.by}" has ended the run`;
    if (decision?.action === 'respond' && 'message' in decision)
      this.endedBy = `Hook "${decision.by}" has answered in the model's place`;
  }

  private async refuse(run: LoopRun, call: ToolCall, answer: HostAnswer, held: HeldCall | undefined): Promise<void> {
    await run.judge(call, this.tools, { answer: { ...answer, ...(held && { held }) } });
  }
}

interface Begun {
  readonly run: LoopRun;
  readonly began: readonly Message[];
  readonly settled: readonly Message[];
  readonly held: ReadonlyMap<string, HeldCall>;
  readonly answer?: Message;
}
