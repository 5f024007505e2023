import type { Message, MessagePart } from '../events/parts/message.ts';
import { isPrompt, toolCallsOf } from '../events/parts/messages.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';
import type { AnsweredCall, ChatCall } from './threads.ts';

/** The answers to pending calls of a thread, and what followed them. */
export interface ChatReplay {
  /** Id of the run that the answers resumed. */
  readonly id: string;
  readonly calls: readonly ReplayedCall[];
  /** The messages after the results of these calls, oldest first. */
  readonly messages: readonly Message[];
  /** The calls that are pending now. */
  readonly waiting: readonly ChatCall[];
  /** False if the run has not ended with a message or with pending calls, for example because its process ended. */
  readonly complete: boolean;
}

/** A call that was answered. A call of a sub-agent has no result in the thread. */
export interface ReplayedCall extends AnsweredCall {
  readonly result?: ToolResult;
}

/** Returns the messages that clients show: no system messages, and no messages that hooks injected. */
export function shownMessages(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role === 'assistant' || message.role === 'tool' || isPrompt(message));
}

/** Returns the messages before a run: up to its prompt, or up to the calls that were answered to resume it. */
export function messagesBefore(history: readonly Message[], answered?: readonly AnsweredCall[]): readonly Message[] {
  return history.slice(0, answered ? split(history, answered).from : history.findLastIndex(isPrompt) + 1);
}

/** The pending calls of a thread by their place. */
export interface PendingCalls {
  /** Index of the last message with calls. */
  readonly step: number;
  /** The pending calls of that message, by the model's id. */
  readonly own: ReadonlyMap<string, ChatCall>;
  /** The pending calls of sub-agents, which the messages do not contain. */
  readonly others: readonly ChatCall[];
}

export function pendingIn(messages: readonly Message[], waiting: readonly ChatCall[]): PendingCalls {
  const step = messages.findLastIndex((message) => toolCallsOf(message).length > 0);
  const ids = new Set(toolCallsOf(messages[step]).map(({ id }) => id));
  const own = new Map(waiting.filter(({ toolCallId }) => ids.has(toolCallId)).map((call) => [call.toolCallId, call]));
  return { step, own, others: waiting.filter((call) => own.get(call.toolCallId) !== call) };
}

/** Returns the results of the answered calls, and the messages after them. */
export function replayOf(
  history: readonly Message[],
  { calls, begun }: { readonly calls: readonly AnsweredCall[]; readonly begun: string },
  waiting: readonly ChatCall[],
): ChatReplay {
  const { from, to } = split(history, calls);
  const results = new Map(history.slice(from, to).flatMap(({ parts }) => parts.flatMap(resultOf)));
  const messages = history.slice(to);
  const last = messages.at(-1);
  return {
    id: begun,
    calls: calls.map((call) => {
      const result = results.get(call.toolCallId);
      return { ...call, ...(result && { result }) };
    }),
    messages: shownMessages(messages),
    waiting,
    complete: waiting.length > 0 || (last?.role === 'assistant' && toolCallsOf(last).length === 0),
  };
}

/** Returns the range of the tool messages that follow the answered calls. Calls of a sub-agent follow the call that runs it. */
function split(
  history: readonly Message[],
  calls: readonly AnsweredCall[],
): { readonly from: number; readonly to: number } {
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId));
  const last = (test: (message: Message) => boolean): number => history.findLastIndex(test);
  const asked = last((message) => toolCallsOf(message).some(({ id }) => ids.has(id)));
  const from = (asked < 0 ? last((message) => toolCallsOf(message).length > 0) : asked) + 1;
  const next = history.findIndex(({ role }, index) => index >= from && role !== 'tool');
  return { from, to: next < 0 ? history.length : next };
}

function resultOf(part: MessagePart): readonly (readonly [string, ToolResult])[] {
  return part.type === 'toolResult' ? [[part.toolCallId, part.result]] : [];
}
