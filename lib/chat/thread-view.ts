import { batchOf } from '../agent/suspend/snapshot.ts';
import type { Message, MessagePart, ToolResultPart } from '../events/parts/message.ts';
import { isPrompt, toolCallsOf } from '../events/parts/messages.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { AnsweredCall, ChatCall, NamedCall, Thread } from './threads.ts';

/** The answers to pending calls of a thread, and what followed them. */
export interface ChatReplay {
  /** Id of the run that the answers resumed. */
  readonly id: string;
  readonly calls: readonly ReplayedCall[];
  /** The messages after the results of these calls, oldest first. */
  readonly messages: readonly Message[];
  /** The calls that are pending now. */
  readonly pending: PendingCalls;
  /** False if the run has not ended with a message or with pending calls, for example because its process ended. */
  readonly complete: boolean;
}

/** A call that was answered, or that waited for an answered call. A call of a sub-agent has no result in the thread. */
export interface ReplayedCall extends AnsweredCall {
  readonly result?: ToolResult;
}

/** The pending calls of a thread. Those of its own run belong to the last message with calls. */
export interface PendingCalls {
  /** All pending calls, in order. */
  readonly calls: readonly ChatCall[];
  /** The calls of the own run, by the model's id. */
  readonly own: ReadonlyMap<string, ChatCall>;
  /** The keys of the calls that wait for calls of a sub-agent, by the model's id. */
  readonly parents: ReadonlyMap<string, string>;
  /** The calls of sub-agents, which the messages do not contain. */
  readonly others: readonly ChatCall[];
  /** The names of the calls that the active run continues with, by the model's id. */
  readonly resumed: ReadonlyMap<string, NamedCall>;
}

/** The messages of a thread that clients show, and the calls that are pending at their end. */
export interface StoredThread {
  readonly messages: readonly Message[];
  readonly pending: PendingCalls;
}

export const noPending: PendingCalls = {
  calls: [],
  own: new Map(),
  parents: new Map(),
  others: [],
  resumed: new Map(),
};

/** The text of a failed or denied call. The model's text about it may contain details of the error. */
export const NOT_DONE = 'The call did not succeed.';

/** Returns the index of the last message with calls, which pending calls belong to. */
export function lastStep(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => toolCallsOf(message).length > 0);
}

/** Returns the messages that clients show: no system messages, and no messages that hooks injected. */
function shownMessages(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role === 'assistant' || message.role === 'tool' || isPrompt(message));
}

/** Returns the stored messages before a run that its prompt started. The store contains the prompt only after the run has `begun`. */
export function startedThread(
  history: readonly Message[],
  { begun, prompt = [] }: { readonly begun: boolean; readonly prompt?: readonly Message[] },
): StoredThread {
  const stored = JSON.stringify(history.slice(history.length - prompt.length)) === JSON.stringify(prompt);
  const all = begun || stored ? history : [...history, ...prompt];
  const messages = begun ? all.slice(0, all.findLastIndex(isPrompt) + 1) : all;
  return { messages: shownMessages(messages), pending: noPending };
}

/** Returns the stored messages before a resumed run, up to the calls that it continues with. */
export function resumedThread(
  history: readonly Message[],
  snapshot: JsonObject,
  answered: readonly AnsweredCall[],
): StoredThread {
  const batch = batchOf(snapshot);
  if (!batch || history.length === 0) return { messages: shownMessages(history), pending: noPending };
  const { start, settled, pending } = batch;
  const shown = new Map(answered.map((call) => [call.key, call.shown]));
  const resumed = new Map(
    pending.map(({ key, toolCall: { id } }) => [id, { key, shown: shown.get(key) ?? id }] as const),
  );
  const messages = withSettled(history.slice(0, start), settled);
  return { messages: shownMessages(messages), pending: { ...noPending, resumed } };
}

/** Returns the stored messages of a suspended run, with the results that only its snapshot has, and its pending calls. */
export function suspendedThread(history: readonly Message[], waiting: Thread['waiting']): StoredThread {
  const batch = waiting && batchOf(waiting.snapshot);
  if (!batch) return { messages: shownMessages(history), pending: noPending };
  const { settled, pending } = batch;
  const calls = new Map(waiting.calls.map((call) => [call.key, call]));
  const own = new Map<string, ChatCall>();
  const parents = new Map<string, string>();
  for (const { key, toolCall } of pending) {
    const call = calls.get(key);
    if (call) own.set(toolCall.id, call);
    else parents.set(toolCall.id, key);
  }
  const ofRun = new Set(own.values());
  const others = waiting.calls.filter((call) => !ofRun.has(call));
  const messages = withSettled(history, settled);
  return { messages: shownMessages(messages), pending: { ...noPending, calls: waiting.calls, own, parents, others } };
}

/** Adds the results that the last step does not contain yet. */
function withSettled(history: readonly Message[], settled: readonly ToolResultPart[]): readonly Message[] {
  const stored = history.slice(lastStep(history) + 1).some(({ role }) => role === 'tool');
  return stored || settled.length === 0 ? history : [...history, { role: 'tool', parts: settled }];
}

/** Returns the results of the answered calls, and the messages after them. */
export function replayOf(
  history: readonly Message[],
  { calls, begun, from }: NonNullable<Thread['answered']>,
  waiting: Thread['waiting'],
): ChatReplay {
  const next = history.findIndex(({ role }, index) => index >= from && role !== 'tool');
  const to = next < 0 ? history.length : next;
  const results = new Map(history.slice(from, to).flatMap(({ parts }) => parts.flatMap(resultOf)));
  const { messages, pending } = suspendedThread(history.slice(to), waiting);
  const last = messages.at(-1);
  return {
    id: begun,
    calls: calls.map((call) => {
      const result = call.inner ? undefined : results.get(call.toolCallId);
      return { ...call, ...(result && { result }) };
    }),
    messages,
    // Calls of the answered step may be pending again. The messages after it do not contain them.
    pending: lastStep(messages) < 0 ? { ...noPending, calls: pending.calls, others: pending.calls } : pending,
    complete: pending.calls.length > 0 || (last?.role === 'assistant' && toolCallsOf(last).length === 0),
  };
}

function resultOf(part: MessagePart): readonly (readonly [string, ToolResult])[] {
  return part.type === 'toolResult' ? [[part.toolCallId, part.result]] : [];
}
