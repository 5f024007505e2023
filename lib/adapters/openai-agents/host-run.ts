import type { Message } from '../../events/parts/message.ts';
import { textOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../loops/pending/pending-call-record.ts';
import { takePendingCalls } from '../../loops/pending/pending-call-store.ts';
import { RunAborted } from '../../loops/run-aborted.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { consoleLogger, type Logger } from '../../pipeline/logger.ts';
import type { CallOptions } from './call-options.ts';
import { type HostAgent, type HostItem, type HostRequest, type HostState, toToolCall } from './host-types.ts';
import { createItems } from './items.ts';
import { type Bridge, createBridge, inputItems } from './request-bridge.ts';

/** A denied call, and the tools of its agent. */
interface Refused {
  readonly call: ToolCall;
  readonly tools: readonly Tool[];
}

interface Begun {
  readonly run: LoopRun;
  readonly bridge: Bridge;
  readonly pending: ReadonlyMap<string, PendingCallRecord>;
  readonly answer?: Message;
}

/** One run of a runner, which is one run of the hooks. It starts with the first model request or tool call. */
export class HostRun {
  readonly buffer: boolean;
  readonly log: Logger;
  /** Texts for the model about handoffs whose outcome differs from the runner's, by call id. */
  readonly settledOutputs = new Map<string, string>();
  /** The runner's own configuration, for agents used as tools. Their model requests are not part of this run. */
  plain: { readonly hooked: unknown; readonly config: object } | undefined;
  readonly #pipeline: Pipeline;
  readonly #options: CallOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #answers = new Map<string, Omit<HostAnswer, 'pending'>>();
  /** By id, because the runner accepts each id once. */
  readonly #judged = new Map<string, Promise<LoopCall>>();
  readonly #items = createItems();
  #history: readonly HostItem[] | undefined;
  #refused: readonly Refused[] = [];
  #begun: Promise<Begun> | undefined;
  #loop: LoopRun | undefined;
  #last: Message | undefined;

  constructor(pipeline: Pipeline, options: CallOptions, signal: AbortSignal | undefined) {
    this.#pipeline = pipeline;
    this.#options = options;
    this.#signal = signal;
    this.buffer = options.buffer ?? false;
    this.log = pipeline.options.log ?? consoleLogger;
  }

  get finishing(): boolean {
    return this.#loop?.finishing ?? false;
  }

  /** The text of the last reply. It is the output of a run that a hook ends. */
  get text(): string {
    return textOf(this.#last);
  }

  /** Resumes a suspended run. Answers in the options are also passed to the runner. */
  goOn(state: HostState, toolsOf: (agent: HostAgent) => readonly Tool[]): void {
    this.#history = state.history;
    const refused: Refused[] = [];
    for (const waiting of state.getInterruptions()) {
      const id = String(waiting.rawItem['callId']);
      const given = this.#options.answers?.[id];
      if (given)
        given.approved === true
          ? state.approve(waiting)
          : state.reject(waiting, { message: given.reason ?? 'refused' });
      const { functionToolStateKey: key, name: toolName, agent } = waiting;
      const asked = key === undefined ? { toolName } : { toolName: key, functionTool: false };
      const approved = state._context.isToolApproved({ ...asked, callId: id, agent });
      if (approved === undefined) continue;
      this.#answers.set(id, { ...given, approved });
      const name = String(waiting.rawItem['name']);
      const call = toToolCall(id, name, String(waiting.rawItem['arguments']));
      if (!approved) refused.push({ call, tools: toolsOf(waiting.agent) });
    }
    this.#refused = refused;
  }

  /** Returns the run, and starts it with these messages if necessary. */
  begun(input: HostRequest['input']): Promise<Begun> {
    this.#begun ??= this.begin(this.#history ?? inputItems(input));
    return this.#begun;
  }

  /** Evaluates a call, once. `unasked` states why no approval is possible. */
  judge(call: ToolCall, tools: readonly Tool[], unasked?: string): Promise<LoopCall> {
    const known = this.#judged.get(call.id);
    if (known) return known;
    const judged = this.begun([]).then(({ run, pending }) => {
      const given = this.#answers.get(call.id);
      const kept = pending.get(call.id);
      const answer = given && { ...given, ...(kept && { pending: kept }) };
      return run.judge(call, tools, { ...(answer && { answer }), ...(unasked !== undefined && { unasked }) });
    });
    this.#judged.set(call.id, judged);
    return judged;
  }

  /** Returns true if the call has an answer. */
  answered(id: string): boolean {
    return this.#answers.has(id);
  }

  /** Records the settled reply. */
  settled(message: Message, output: readonly HostItem[]): void {
    this.#last = message;
    this.#items.keep(message, output);
  }

  /** Returns the first call with that name in the last reply. */
  callOf(name: string): ToolCall | undefined {
    return toolCallsOf(this.#last).find((call) => call.name === name);
  }

  /** Ends the run, and returns the error that the runner should reject with. */
  async end({ error, suspended, left }: { error?: unknown; suspended?: boolean; left?: boolean }): Promise<unknown> {
    await this.#begun?.catch(() => {});
    const loop = this.#loop;
    if (left && loop && !loop.signal.aborted) loop.run.cancel('the consumer stopped reading the run');
    await loop?.end({ ...(error !== undefined && { error }), ...(suspended && { outcome: 'suspended' }) });
    const reason: unknown = loop?.signal.reason;
    if (reason instanceof RunAborted) return reason;
    // The runner wraps errors of tools.
    return reason !== undefined && (error as { error?: unknown } | undefined)?.error === reason ? reason : error;
  }

  private async begin(input: readonly HostItem[]): Promise<Begun> {
    const { buffer: _, answers: __, unhooked: ___, ...options } = this.#options;
    const pending = await takePendingCalls(options.pendingCalls, options, this.#answers.keys());
    const [resumes] = pending.values();
    const run = startLoopRun(this.#pipeline, {
      ...options,
      ...(this.#signal && { signal: this.#signal }),
      ...(resumes && { resumes }),
    });
    this.#loop = run;
    const items = this.#items;
    const began = items.toMessages(input);
    const { messages: settled, answer } = await run.begin(began);
    for (const { call, tools } of this.#refused) {
      const kept = pending.get(call.id);
      const given = this.#answers.get(call.id);
      // A denied call never reaches a tool, so its denial is recorded here.
      if (given) await run.judge(call, tools, { answer: { ...given, ...(kept && { pending: kept }) } });
    }
    const bridge = createBridge({
      items,
      log: this.log,
      began,
      settled,
      length: input.length,
      outputs: this.settledOutputs,
    });
    return { run, bridge, pending, ...(answer && { answer }) };
  }
}
