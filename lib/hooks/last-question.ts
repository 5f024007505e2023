import { modify } from '../events/decisions/modify.ts';
import type { EventOf } from '../events/hook-event.ts';
import { userMessage } from '../events/parts/messages.ts';

/** Returns a request without tools, with an ephemeral message to the model. The caller must end the run with the answer. */
export function lastQuestion(event: EventOf<'preReasoning'>, why: string): EventOf<'preReasoning'> {
  const hint = `${why} This is your last answer, and you can no longer call tools: report what you found and what remains to be done.`;
  const options = { ...event.options, toolChoice: 'none' as const };
  return modify(event, { messages: [...event.messages, userMessage(hint)], tools: [], options });
}
