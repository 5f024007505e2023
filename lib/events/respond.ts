import { HooklineError } from '../errors.ts';
import { decide } from './decide.ts';
import type { ActingError, CallError, ReasoningError } from './error-event.ts';
import type { MessageInput } from './message.ts';
import { toMessage } from './messages.ts';
import type { PreActing } from './pre-acting.ts';
import type { PreCall } from './pre-call.ts';
import type { PreReasoning } from './pre-reasoning.ts';
import { type ToolResultInput, toolResult } from './tool-result.ts';

/**
 * Answers instead of the step: preCall (no loop at all), preReasoning (the model is not asked), preActing (the tool is not run);
 * on an error event it recovers. A string stands for an assistant message, or a successful result, of that text.
 */
export function respond<E extends PreCall | PreReasoning | CallError | ReasoningError>(
  event: E,
  message: MessageInput,
): E;
export function respond<E extends PreActing | ActingError>(event: E, result: ToolResultInput): E;
export function respond(
  event: PreCall | PreReasoning | PreActing | CallError | ReasoningError | ActingError,
  answer: MessageInput | ToolResultInput,
) {
  if (answer === undefined || answer === null) {
    throw new HooklineError('DECISION_ILLEGAL', 'respond(): the second argument, the answer, is missing.');
  }
  const acting = event?.type === 'preActing' || (event?.type === 'error' && event.phase === 'acting');
  return acting
    ? decide(event, { action: 'respond', result: toolResult(answer as ToolResultInput) } as { action: 'respond' })
    : decide(event, { action: 'respond', message: toMessage(answer as MessageInput, 'assistant') } as {
        action: 'respond';
      });
}
