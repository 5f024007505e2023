import { HooklineError } from '../../errors.ts';
import type { ActingError, CallError, ReasoningError } from '../error-event.ts';
import type { HookEvent } from '../hook-event.ts';
import type { MessageInput } from '../parts/message.ts';
import { toMessage } from '../parts/messages.ts';
import { type ToolResultInput, toolResult } from '../parts/tool-result.ts';
import type { PreActing } from '../pre-acting.ts';
import type { PreCall } from '../pre-call.ts';
import type { PreReasoning } from '../pre-reasoning.ts';
import { type Deciding, decide } from './decide.ts';

type WithMessage = PreCall | PreReasoning | CallError | ReasoningError;
type WithResult = PreActing | ActingError;

/** The substitute for a step: a result for a tool call, otherwise a message. */
type Answer<E> = [E] extends [never]
  ? MessageInput | ToolResultInput
  : [E] extends [WithResult]
    ? ToolResultInput
    : [E] extends [WithMessage]
      ? MessageInput
      : string;

/**
 * Responds instead of the step. preCall: the run ends without model steps. preReasoning: no model request. preActing: the tool does not run. On an
 * error event, it recovers. A string becomes an assistant message or a successful result.
 */
export function respond<E extends HookEvent>(
  event: Deciding<E, WithMessage | WithResult, 'respond'>,
  answer: Answer<E>,
): E {
  if (answer === undefined || answer === null) {
    throw new HooklineError('DECISION_ILLEGAL', 'respond(): the second argument, the answer, is missing.');
  }
  const given = event as E;
  const acting = given?.type === 'preActing' || (given?.type === 'error' && given.phase === 'acting');
  return acting
    ? decide(given, { action: 'respond', result: toolResult(answer as ToolResultInput) } as { action: 'respond' })
    : decide(given, { action: 'respond', message: toMessage(answer as MessageInput, 'assistant') } as {
        action: 'respond';
      });
}
