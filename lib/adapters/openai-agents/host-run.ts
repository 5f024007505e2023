import type { Message } from '../../events/parts/message.ts';
import { textOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { HeldCall } from '../../loops/held/held-call.ts';
import { takeHeld } from '../../loops/held/held-calls.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../loops/loop-run.ts';
import { RunAborted } from '../../loops/run-aborted.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { consoleLogger, type Logger } from '../../pipeline/logger.ts';
import type { CallOptions } from './call-options.ts';
import { type HostAgent, type HostItem, type HostRequest, type HostState, toToolCall } from './host-types.ts';
import { createItems } from './items.ts';
import { type Bridge, createBridge, inputItems } from './request-bridge.ts';

/** A call that somebody has said no to, and the tools of its agent. */
interface Refused {
  readonly call: ToolCall;
  readonly tools: readonly Tool[];
}

interface Begun {
  readonly run: LoopRun;
  readonly bridge: Bridge;
  readonly held: ReadonlyMap<string, HeldCall>;
  readonly answer?: Message;
}

/** One run of a runner: one run of the hooks. It begins with what the host asks or runs first. */
export class HostRun {
  readonly buffer: boolean;
  readonly log: Logger;
  /** What the model is told of handoffs that came to something else than the host says. */
  readonly told = new Map<string, string>();
  /** The runner's own configuration, for agents that are a tool: what they ask is no part of this run. */
  plain: { readonly hooked: unknown; readonly config: object } | undefined;
  readonly #pipeline: Pipeline;
  readonly #options: CallOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #answers = new Map<string, Omit<HostAnswer, 'held'>>();
  /** By id: the host takes none twice. */
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

  /** The text of the last answer, which is what a run comes to that a hook ends. */
  get text(): string {
    return textOf(this.#last);
  }

  /** Goes on from a run that has waited for answers; those that are given here are given to the host, too. */
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

  /** The run, begun with these messages if it has not begun yet. */
  begun(input: HostRequest['input']): Promise<Begun> {
    this.#begun ??= this.begin(this.#history ?? inputItems(input));
    return this.#begun;
  }

  /** Judges a call, once; `unasked` says why nobody can be asked about it. */
  judge(call: ToolCall, tools: readonly Tool[], unasked?: string): Promise<LoopCall> {
    const known = this.#judged.get(call.id);
    if (known) return known;
    const judged = this.begun([]).then(({ run, held }) => {
      const given = this.#answers.get(call.id);
      const kept = held.get(call.id);
      const answer = given && { ...given, ...(kept && { held: kept }) };
      return run.judge(call, tools, { ...(answer && { answer }), ...(unasked !== undefined && { unasked }) });
    });
    this.#judged.set(call.id, judged);
    return judged;
  }

  /** Whether somebody has answered that very call. */
  answered(id: string): boolean {
    return this.#answers.has(id);
  }

  /** Takes what an answer has come to. */
  settled(message: Message, output: readonly HostItem[]): void {
    this.#last = message;
    this.#items.keep(message, output);
  }

  /** The first call of that name in the last answer. */
  callOf(name: string): ToolCall | undefined {
    return toolCallsOf(this.#last).find((call) => call.name === name);
  }

  /** Ends the run as the host says, and gives what the host is to reject with. */
  async end({ error, suspended, left }: { error?: unknown; suspended?: boolean; left?: boolean }): Promise<unknown> {
    await this.#begun?.catch(() => {});
    const loop = this.#loop;
    if (left && loop && !loop.signal.aborted) loop.run.cancel('the run was left');
    await loop?.end({ ...(error !== undefined && { error }), ...(suspended && { outcome: 'suspended' }) });
    const reason: unknown = loop?.signal.reason;
    if (reason instanceof RunAborted) return reason;
    // What a tool rejects with, the host wraps.
    return reason !== undefined && (error as { error?: unknown } | undefined)?.error === reason ? reason : error;
  }

  private async begin(input: readonly HostItem[]): Promise<Begun> {
    const { buffer: _, answers: __, unhooked: ___, ...options } = this.#options;
    const held = await takeHeld(options.held, options, this.#answers.keys());
    const [resumes] = held.values();
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
      const kept = held.get(call.id);
      const given = this.#answers.get(call.id);
      // A no never reaches a tool, so nobody would tell of it.
      if (given) await run.judge(call, tools, { answer: { ...given, ...(kept && { held: kept }) } });
    }
    const bridge = createBridge({ items, log: this.log, began, settled, length: input.length, told: this.told });
    return { run, bridge, held, ...(answer && { answer }) };
  }
}
