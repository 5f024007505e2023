import { of } from 'rxjs';
import type { Message } from '../../../lib/events/parts/message.ts';
import { assistantMessage, textOf, userMessage } from '../../../lib/events/parts/messages.ts';
import type { CountTokens } from '../../../lib/hooks/tokens/count-tokens.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';

/** Counts a token per character, so that sums are easy to check. */
export const byLetter: CountTokens = (text) => text.length;

/** A call of `look` and its result. */
export function exchange(id: string, content: string): Message[] {
  return [
    { role: 'assistant', parts: [{ type: 'toolCall', toolCall: { id, name: 'look', input: {} } }] },
    {
      role: 'tool',
      parts: [{ type: 'toolResult', toolCallId: id, toolName: 'look', result: { content, isError: false } }],
    },
  ];
}

/** A long conversation: `count` turns of a question, a call with its result, and an answer. */
export function longTalk(count: number, size = 200): Message[] {
  return Array.from({ length: count }, (_, at) => [
    userMessage(`question ${at}`),
    ...exchange(`c${at}`, `${at}:`.padEnd(size, 'x')),
    assistantMessage(`answer ${at}`),
  ]).flat();
}

/** A message as one line. */
export function line({ role, parts }: Message): string {
  const said = parts.map((part) => {
    if (part.type === 'toolCall') return `call ${part.toolCall.id}`;
    if (part.type === 'toolResult') return `result ${part.toolCallId}: ${part.result.content}`;
    return part.type === 'text' ? part.text : part.type;
  });
  return `${role}: ${said.join(' ')}`;
}

export type Seen = Model & { readonly requests: ModelRequest[]; readonly summaries: string[] };

/** A model that answers `ok` or `answer`, and returns a summary on request. */
export function watched(answer: (nth: number) => readonly ModelChunk[] | undefined = () => undefined): Seen {
  const requests: ModelRequest[] = [];
  const summaries: string[] = [];
  const finish: ModelChunk = { type: 'finish', finishReason: 'stop' };
  const model: Model = (request) => {
    if (textOf(request.messages[0]).startsWith('You summarise')) {
      summaries.push(textOf(request.messages[1]));
      return of<ModelChunk[]>({ type: 'text', delta: `summary ${summaries.length}` }, finish);
    }
    requests.push(request);
    return of(...(answer(requests.length) ?? [{ type: 'text', delta: 'ok' } as const, finish]));
  };
  return Object.assign(model, { requests, summaries });
}
