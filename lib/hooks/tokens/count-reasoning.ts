import { catchError, concat, defer, EMPTY, finalize, ignoreElements, type Observable, tap, throwError } from 'rxjs';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { CountTokens } from './count-tokens.ts';
import { messageTokens, toolTokens } from './message-tokens.ts';

/** The usage of a model request, reported or estimated. */
export interface CountedUsage {
  readonly usage: Usage;
  readonly estimated: boolean;
}

/**
 * Forwards the chunks of a model and reports the usage, once per attempt, also if it failed or was cancelled. Usage that the model does not report is
 * counted.
 */
export function countReasoning(
  asked: PreReasoning,
  chunks$: Observable<ModelChunk>,
  { count, log, spend }: { count: CountTokens; log: Logger; spend: (counted: CountedUsage) => Observable<unknown> },
): Observable<ModelChunk> {
  return defer(() => {
    let usage: Usage | undefined;
    let parts: MessagePart[] | undefined;
    let text = '';
    let done = false;

    function see(chunk: ModelChunk): void {
      parts ??= [];
      if (chunk.type === 'text' || chunk.type === 'thinking') text += chunk.delta;
      else if (chunk.type === 'toolCall') parts.push({ type: 'toolCall', toolCall: chunk.toolCall });
      else if (chunk.type === 'finish') usage = chunk.usage;
    }
    const settle = (): Observable<never> =>
      defer(() => {
        // A request without any chunk has no usage to report.
        if (done || !parts) return EMPTY;
        done = true;
        if (usage) return spend({ usage, estimated: false });
        const message: Message = { role: 'assistant', parts: [...parts, { type: 'text', text }] };
        return spend({ usage: estimate(asked, message, count), estimated: true });
      }).pipe(ignoreElements());

    return concat(
      chunks$.pipe(
        tap(see),
        catchError((thrown) =>
          concat(
            settle(),
            throwError(() => thrown),
          ),
        ),
      ),
      settle(),
    ).pipe(
      finalize(() =>
        settle().subscribe({
          error: (err) => log.error({ err }, 'the usage of an interrupted answer was not counted'),
        }),
      ),
    );
  });
}

function estimate({ messages, tools, model }: PreReasoning, answer: Message, count: CountTokens): Usage {
  const messageTotal = messages.reduce((sum, message) => sum + messageTokens(message, count, model), 0);
  return {
    inputTokens: messageTotal + toolTokens(tools, count, model),
    outputTokens: messageTokens(answer, count, model),
  };
}
