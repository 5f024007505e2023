import { modify } from '../events/decisions/modify.ts';
import { userMessage } from '../events/parts/messages.ts';
import type { PreReasoning } from '../events/pre-reasoning.ts';

/** Adds an ephemeral last message to a request. It enters no transcript and no later request. */
export function withHint(event: PreReasoning, hook: string, text: string): PreReasoning {
  return modify(event, { messages: [...event.messages, { ...userMessage(text), origin: hook }] });
}
