import { lastStep, NOT_DONE, noPending, type PendingCalls } from '../../../chat/thread-view.ts';
import type { ChatCall } from '../../../chat/threads.ts';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { ToolResult } from '../../../events/parts/tool-result.ts';
import { approvalPart } from '../mapping/data-parts.ts';
import { HELD } from '../pending-output.ts';
import type { UiThreadMessage, UiThreadPart, UiToolPart } from './ui-thread-message.ts';

/** How a thread is shown. */
export interface UiThreadOptions {
  /** Major version of the AI SDK. Version 5 has no approvals in its parts. */
  readonly version: number;
  readonly clientTools: ReadonlySet<string>;
  /** The calls that are pending at the end of the messages. */
  readonly pending: PendingCalls;
  /** First part of the ids of messages and calls, which must be unique in the client's state. */
  readonly prefix: string;
}

/** Converts the messages of a thread. A reply with all its steps is one message, as in the stream. */
export function toUiMessages(messages: readonly Message[], options: UiThreadOptions): readonly UiThreadMessage[] {
  const { prefix, pending } = options;
  const step = lastStep(messages);
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
        const last = index === step ? pending : noPending;
        const call = last.own.get(toolCall.id);
        const parent = last.parents.get(toolCall.id);
        const resumed = last.resumed.get(toolCall.id);
        const id = parent ?? resumed?.key ?? `${prefix}-${index}/${toolCall.id}`;
        if (call) target.push(...pendingParts(call, options));
        else {
          const state = parent ? 'waits' : resumed ? 'runs' : results.get(toolCall.id);
          target.push(...callParts(toolCall, id, state, options));
        }
      }
    }
  }
  for (const call of pending.others) partsOf('assistant').push(...pendingParts(call, options));
  return shown;
}

function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (let at = index + 1; messages[at]?.role === 'tool'; at += 1)
    for (const part of messages[at]?.parts ?? [])
      if (part.type === 'toolResult') results.set(part.toolCallId, part.result);
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

/** A call without a result was interrupted. One that waits for its sub-agent has a placeholder, as in the stream. */
function callParts(
  { name, input }: ToolCall,
  toolCallId: string,
  result: ToolResult | 'waits' | 'runs' | undefined,
  { clientTools }: UiThreadOptions,
): readonly UiThreadPart[] {
  const own = clientTools.has(name);
  if (result === 'runs') return [toolPart(name, own, { toolCallId, input, state: 'input-available' })];
  if (result === 'waits') return [toolPart(name, own, { toolCallId, input, state: 'output-available', output: HELD })];
  if (!result || result.isError)
    return [toolPart(name, own, { toolCallId, input, state: 'output-error', errorText: NOT_DONE })];
  const { content, media = [] } = result;
  const part = toolPart(name, own, { toolCallId, input, state: 'output-available', output: content });
  return [part, ...media.flatMap(filePart)];
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
