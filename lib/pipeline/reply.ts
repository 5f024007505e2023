import { HooklineError } from '../errors.ts';
import type { Abort } from '../events/decision.ts';
import type { JsonObject } from '../events/json-value.ts';
import type { Message, MessagePart } from '../events/message.ts';
import type { FinishReason } from '../events/post-reasoning.ts';
import type { ReasoningChunk } from '../events/reasoning-chunk.ts';
import type { ToolCall } from '../events/tool-call.ts';
import type { Usage } from '../events/usage.ts';

interface Part {
  kind: ReasoningChunk['part'];
  /** Joined at the end: a string that grows by a chunk at a time is a chain of as many objects. */
  readonly pieces: string[];
  toolCall?: ToolCall;
  metadata?: JsonObject;
}

/** What a model has answered so far, assembled of the chunks that left the lane and the calls that came whole. */
export interface Reply {
  finishReason: FinishReason | undefined;
  usage: Usage | undefined;
  /** A stage said finish. */
  stopped: boolean;
  aborted: Abort | undefined;
  left(chunk: ReasoningChunk): void;
  /** Keeps a whole call; its id is made unique within the message. */
  call(block: number, toolCall: ToolCall): void;
  /** Keeps provider data of a block, whether or not anything of it has left yet. */
  metadata(block: number, kind: ReasoningChunk['part'], metadata: JsonObject): void;
  message(): Message;
  /** The text that got out before the step was cut, without calls and thinking; nothing if there is none. */
  partial(): Message | undefined;
  /** Forgets everything: a new attempt begins. */
  reset(): void;
}

export function createReply(): Reply {
  const parts = new Map<number, Part>();
  let latest: Part | undefined;
  let latestBlock = -1;
  const at = (block: number, kind: Part['kind']): Part => {
    const known = parts.get(block);
    if (known) return known;
    const made: Part = { kind, pieces: [] };
    parts.set(block, made);
    return made;
  };
  const inOrder = (): Part[] => [...parts.entries()].sort(([a], [b]) => a - b).map(([, part]) => part);

  const reply: Reply = {
    finishReason: undefined,
    usage: undefined,
    stopped: false,
    aborted: undefined,
    left(chunk) {
      if (chunk.delta === '') return;
      // Nearly every chunk belongs to the block of the one before.
      if (!latest || chunk.block !== latestBlock) {
        latest = at(chunk.block, chunk.part);
        latestBlock = chunk.block;
      }
      latest.pieces.push(chunk.delta);
    },
    call(block, toolCall) {
      const taken = new Set(inOrder().map((part) => part.toolCall?.id));
      let id = toolCall.id;
      for (let copy = 2; taken.has(id); copy++) id = `${toolCall.id}-${copy}`;
      const part = at(block, 'toolInput');
      if (part.toolCall) throw new HooklineError('MODEL_FAILED', `The model gave two tool calls for block ${block}.`);
      part.toolCall = id === toolCall.id ? toolCall : { ...toolCall, id };
    },
    metadata(block, kind, metadata) {
      const part = at(block, kind);
      part.metadata = { ...part.metadata, ...metadata };
    },
    message: () => ({ role: 'assistant', parts: inOrder().flatMap(toMessageParts) }),
    partial() {
      const text = inOrder().filter((part) => part.kind === 'text');
      const shown = text.flatMap(toMessageParts);
      return shown.length === 0 ? undefined : { role: 'assistant', parts: shown };
    },
    reset() {
      parts.clear();
      latest = undefined;
      reply.finishReason = undefined;
      reply.usage = undefined;
    },
  };
  return reply;
}

function toMessageParts({ kind, pieces, toolCall, metadata }: Part): MessagePart[] {
  const extra = metadata && { metadata };
  if (kind === 'toolInput') return toolCall ? [{ type: 'toolCall', toolCall, ...extra }] : [];
  const text = pieces.join('');
  if (text === '' && !(kind === 'thinking' && metadata)) return [];
  return [{ type: kind, text, ...extra }];
}
