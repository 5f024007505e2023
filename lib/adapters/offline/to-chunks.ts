import type { ModelChunk, ModelRequest } from '../../pipeline/define/model.ts';
import type { Answer } from './plan-answer.ts';

const CHARACTERS_PER_TOKEN = 4;
/** Limits how far a pushing model can get ahead of slow hooks: long replies have larger chunks. */
const MAX_PIECES = 200;

/** Converts a reply to chunks: the text word by word, and each call's input in pieces before the call. Usage is an estimate. */
export function toChunks({ text, toolCalls }: Answer, request: ModelRequest): ModelChunk[] {
  const words = inPieces(text.match(/\s*\S+/g) ?? []);
  const inputs = toolCalls.map(({ input }) => JSON.stringify(input));
  return [
    ...words.map((delta): ModelChunk => ({ type: 'text', delta, block: 0 })),
    { type: 'blockEnd', block: 0 },
    ...toolCalls.flatMap((toolCall, index): ModelChunk[] => {
      const pieces = inPieces(inputs[index]?.match(/.{1,12}/gsu) ?? []);
      const input = { type: 'toolInput', toolCallId: toolCall.id, block: index + 1 } as const;
      return [...pieces.map((delta) => ({ ...input, delta })), { type: 'toolCall', toolCall, block: index + 1 }];
    }),
    {
      type: 'finish',
      finishReason: toolCalls.length > 0 ? 'toolCalls' : 'stop',
      usage: { inputTokens: tokens(JSON.stringify(request.messages)), outputTokens: tokens(text + inputs.join('')) },
    },
  ];
}

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function inPieces(atoms: readonly string[]): string[] {
  const size = Math.max(1, Math.ceil(atoms.length / MAX_PIECES));
  const starts = Array.from({ length: Math.ceil(atoms.length / size) }, (_, index) => index * size);
  return starts.map((start) => atoms.slice(start, start + size).join(''));
}
