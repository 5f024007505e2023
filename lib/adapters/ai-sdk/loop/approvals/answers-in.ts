import { toolCallsOf } from '../../../../events/parts/messages.ts';
import type { ToolCall } from '../../../../events/parts/tool-call.ts';
import type { HostAnswer } from '../../../../loops/loop-run.ts';
import { fromHostMessage } from '../history/from-host-message.ts';
import type { HostMessage, HostPart } from '../host-ai.ts';

/** The answer to a pending call. */
export interface GivenAnswer {
  readonly answer: Omit<HostAnswer, 'pending'>;
  /** The call in the SDK's messages, if they contain it. */
  readonly call?: ToolCall;
}

/** Returns answers by tool call id: the approvals in the last messages (version 6 or later), and the `answers` of the caller. */
export function answersIn(
  messages: readonly HostMessage[],
  given: Readonly<Record<string, Omit<HostAnswer, 'pending'>>> = {},
): ReadonlyMap<string, GivenAnswer> {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const calls = new Map(
    messages.flatMap((message) => toolCallsOf(fromHostMessage(message))).map((call) => [call.id, call]),
  );
  const done = new Set(parts.filter(({ type }) => type === 'tool-result').map((part) => part['toolCallId']));
  const asked = new Map(parts.filter(isRequest).map((part) => [part['approvalId'], String(part['toolCallId'])]));
  const answers = new Map<string, GivenAnswer>();
  const add = (id: string, answer: GivenAnswer['answer']): void => {
    const call = calls.get(id);
    if (!done.has(id)) answers.set(id, { answer, ...(call && { call }) });
  };
  for (const part of parts) {
    const id = part.type === 'tool-approval-response' ? asked.get(part['approvalId']) : undefined;
    if (id === undefined) continue;
    const reason = part['reason'];
    add(id, { approved: part['approved'] === true, ...(typeof reason === 'string' && { reason }) });
  }
  for (const [id, answer] of Object.entries(given)) add(id, answer);
  return answers;
}

function isRequest({ type }: HostPart): boolean {
  return type === 'tool-approval-request';
}
