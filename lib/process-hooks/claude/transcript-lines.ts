import { createHash } from 'node:crypto';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import { type ToolTable, toTheirs } from '../../permission-rules/action/tool-table.ts';

/** Fields of every line of a transcript. */
export interface LineScope {
  readonly sessionId: string;
  readonly cwd: string;
  /** True for the conversation of a sub-agent. */
  readonly sidechain: boolean;
  readonly tools: ToolTable;
}

/** The id of the last line, which is the parent of the next one. */
export interface Chain {
  readonly parent: string | null;
}

/**
 * Returns the lines of messages in the format of Claude Code: one per block of an answer and per result. Results have the type `user`, and a prompt
 * is plain text. The same conversation always gets the same ids.
 */
export function transcriptLines(
  messages: readonly Message[],
  from: number,
  { parent }: Chain,
  scope: LineScope,
): { readonly lines: readonly string[]; readonly chain: Chain } {
  const timestamp = new Date().toISOString();
  let last = parent;
  const lines = messages.flatMap((message, place) =>
    blocksOf(message, `${scope.sessionId} ${from + place}`, scope.tools).map((own) => {
      const uuid = idOf(JSON.stringify([last, own]));
      const line = {
        ...{ parentUuid: last, isSidechain: scope.sidechain, userType: 'external', cwd: scope.cwd },
        ...{ sessionId: scope.sessionId, ...own, uuid, timestamp },
      };
      last = uuid;
      return JSON.stringify(line);
    }),
  );
  return { lines, chain: { parent: last } };
}

function blocksOf({ role, parts, origin }: Message, id: string, tools: ToolTable): object[] {
  const injected = origin !== undefined && { isMeta: true };
  if (role === 'system') return [{ type: 'system', subtype: 'informational', content: textsOf(parts) }];
  if (role === 'assistant') {
    const stop_reason = parts.some(({ type }) => type === 'toolCall') ? 'tool_use' : 'end_turn';
    const message = { id: `msg_${idOf(id).replaceAll('-', '')}`, type: 'message', role };
    return parts.map((part) => ({
      type: 'assistant',
      message: { ...message, content: [blockOf(part, tools)], stop_reason, stop_sequence: null },
    }));
  }
  const results = parts.filter((part) => part.type === 'toolResult');
  const rest = parts.filter((part) => part.type !== 'toolResult');
  const user = (content: unknown, more?: object) => ({
    ...{ type: 'user', ...injected, message: { role: 'user', content }, ...more },
  });
  const plain = rest.every(({ type }) => type === 'text');
  return [
    ...results.map((part) => user([blockOf(part, tools)], { toolUseResult: part.result.content })),
    ...(rest.length > 0 ? [user(plain ? textsOf(rest) : rest.map((part) => blockOf(part, tools)))] : []),
  ];
}

function blockOf(part: MessagePart, tools: ToolTable): object {
  switch (part.type) {
    case 'toolCall': {
      const { id, name, input } = part.toolCall;
      const { as, input: theirs } = toTheirs(tools, name, input);
      return { type: 'tool_use', id, name: as, input: theirs };
    }
    case 'toolResult': {
      const { content, isError } = part.result;
      return { tool_use_id: part.toolCallId, type: 'tool_result', content, is_error: isError };
    }
    case 'thinking':
      return { type: 'thinking', thinking: part.text, signature: '' };
    case 'media':
      return { type: 'image', source: { type: 'url', url: part.url } };
    case 'text':
      return { type: 'text', text: part.text };
  }
}

function textsOf(parts: readonly MessagePart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Returns an id in the format of a UUID, the same for the same text. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
