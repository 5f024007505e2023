import { modify } from '../events/decisions/modify.ts';
import type { EventOf } from '../events/hook-event.ts';
import { userMessage } from '../events/parts/messages.ts';

/** The question without tools, with a word to the model that is not remembered. Whoever asks it ends the run with its answer. */
export function lastQuestion(event: EventOf<'preReasoning'>, why: string): EventOf<'preReasoning'> {
  const hint = `${why} This is your last answer, and no tool can be called any more: say what you have found out and what remains to be done.`;
  const options = { ...event.options, toolChoice: 'none' as const };
  return modify(event, { messages: [...event.messages, userMessage(hint)], tools: [], options });
}
