import { pendingIn } from '../../../chat/thread-view.ts';
import type { ChatCall } from '../../../chat/threads.ts';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { ToolResult } from '../../../events/parts/tool-result.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import { approvalPart } from '../mapping/data-parts.ts';
import { HELD } from '../pending-output.ts';
import type { UiThreadMessage, UiThreadPart, UiToolPart } from './ui-thread-message.ts';

/** How a thread is shown. */
export interface UiThreadOptions {
  /** Major version of the AI SDK. Version 5 has no approvals in its parts. */
  readonly version: number;
  readonly clientTools: ReadonlySet<string>;
  /** The calls that are pending at the end of the messages. */
  readonly waiting: readonly ChatCall[];
  /** First part of the ids of messages and calls, which must be unique in the client's state. */
  readonly prefix: string;
}

/** The text of a failed or denied call. The model's text about it may contain details of the error. */
export const NOT_DONE = 'The call did not succeed.';

/** Converts the messages of a thread. A reply with all its steps is one message, as in the stream. */
export function toUiMessages(messages: readonly Message[], options: UiThreadOptions): readonly UiThreadMessage[] {
  const { prefix } = options;
  const { step, own, others } = pendingIn(messages, options.waiting);
  const shown: { id: string; role: 'user' | 'assistant'; parts: UiThreadPart[] }[] = [];
  const partsOf = (role: 'user' | 'assistant'): UiThreadPart[] => {
    const last = shown.at(-1);
    if (role === 'assistant' && last?.role === role) return last.parts;
    const parts: UiThreadPart[] = [];
    shown.push({ id: `${prefix}-${shown.length + 1}`, role, parts });
    return parts;
  };
  for (const [index, { role, parts }] of messages.entries()) {
    if (role === 'user') partsOf('user').push(...parts.flatMap(toPart));
    if (role !== 'assistant') continue;
    const results = resultsAfter(messages, index);
    const target = partsOf('assistant');
    target.push({ type: 'step-start' });
    for (const part of parts) {
      if (part.type !== 'toolCall') target.push(...toPart(part));
      else {
        const { toolCall } = part;
        const pending = index === step ? own.get(toolCall.id) : undefined;
        if (pending) target.push(...pendingParts(pending, options));
        else
          target.push(...callParts(toolCall, `${prefix}-${index}/${toolCall.id}`, results.get(toolCall.id), options));
      }
    }
  }
  for (const call of others) partsOf('assistant').push(...pendingParts(call, options));
  return shown;
}

function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const { role, parts } of messages.slice(index + 1)) {
    if (role !== 'tool') break;
    for (const part of parts) if (part.type === 'toolResult') results.set(part.toolCallId, part.result);
  }
  return results;
}

function toPart(part: MessagePart): readonly UiThreadPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text, state: 'done' }];
  if (part.type === 'media') return filePart(part);
  return [];
}

function filePart({ url, mediaType }: { readonly url: string; readonly mediaType?: string }): readonly UiThreadPart[] {
  return /^(https?|data):/.test(url) ? [{ type: 'file', url, mediaType: mediaType ?? 'application/octet-stream' }] : [];
}

function callParts(
  { name, input }: ToolCall,
  id: string,
  result: ToolResult | undefined,
  options: UiThreadOptions,
): readonly UiThreadPart[] {
  // A call without a result waits for calls of its sub-agent, or its run was interrupted.
  const given = result ?? (options.waiting.length > 0 ? undefined : { content: '', isError: true });
  const output: JsonValue = given?.content ?? HELD;
  return [
    toolPart(name, options.clientTools.has(name), {
      toolCallId: id,
      input,
      ...(given?.isError ? { state: 'output-error', errorText: NOT_DONE } : { state: 'output-available', output }),
    }),
    ...(given?.media ?? []).flatMap(filePart),
  ];
}

/** Returns the parts of a pending call, with the ids that an answer needs. */
function pendingParts(call: ChatCall, options: UiThreadOptions): readonly UiThreadPart[] {
  const { key, id, tool, input, client } = call;
  const asks = !client && options.version > 5;
  const state = asks
    ? { state: 'approval-requested' as const, approval: { id } }
    : { state: 'input-available' as const };
  const part = toolPart(tool, client || options.clientTools.has(tool), { toolCallId: key, input, ...state });
  return client ? [part] : [part, approvalPart(call, key, 'waiting') as UiThreadPart];
}

/** A call of a client tool has a type of its own, calls of other tools are dynamic. */
function toolPart(toolName: string, own: boolean, state: Omit<UiToolPart, 'type' | 'toolName'>): UiToolPart {
  return own ? { type: `tool-${toolName}`, ...state } : { type: 'dynamic-tool', toolName, ...state };
}
