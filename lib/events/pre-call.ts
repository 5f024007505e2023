import { z } from 'zod';
import { abortSchema, respondWithMessageSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';

/** A run begins. `messages` are this call's input and are remembered. */
export const preCallSchema = z.strictObject({
  type: z.literal('preCall'),
  ...eventBase,
  messages: z.array(messageSchema).readonly(),
  decision: z.discriminatedUnion('action', [respondWithMessageSchema, abortSchema]).exactOptional(),
});

/** A run is about to begin; hooks may change its messages. */
export interface PreCall extends FrozenFields<typeof preCallSchema> {}
