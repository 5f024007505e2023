import { modify } from '../events/decisions/modify.ts';
import { userMessage } from '../events/parts/messages.ts';
import type { PreReasoning } from '../events/pre-reasoning.ts';

/** The question with a last word to the model, which no transcript and no later question has. */
export function withHint(event: PreReasoning, hook: string, text: string): PreReasoning {
  return modify(event, { messages: [...event.messages, { ...userMessage(text), origin: hook }] });
}
