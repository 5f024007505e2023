import { z } from 'zod';
import { abortSchema, respondWithMessageSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';

/** A run begins. `messages` are the input of the run. They enter the transcript. */
export const preCallSchema = z.strictObject({
  /** Event type. @example 'preCall' */
  type: z.literal('preCall'),
  ...eventBase,
  /** Messages, which hooks may change. @example [userMessage('hi')] */
  messages: z.array(messageSchema).readonly(),
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.discriminatedUnion('action', [respondWithMessageSchema, abortSchema]).exactOptional(),
});

/** A run begins. Hooks may change its messages. */
export interface PreCall extends FrozenFields<typeof preCallSchema> {}
