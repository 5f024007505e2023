import { z } from 'zod';
import { type ActingChunk, actingChunkSchema } from './acting-chunk.ts';
import { type ErrorEvent, errorEventSchema } from './error-event.ts';
import { type PostActing, postActingSchema } from './post-acting.ts';
import { type PostCall, postCallSchema } from './post-call.ts';
import { type PostReasoning, postReasoningSchema } from './post-reasoning.ts';
import { type PreActing, preActingSchema } from './pre-acting.ts';
import { type PreCall, preCallSchema } from './pre-call.ts';
import { type PreReasoning, preReasoningSchema } from './pre-reasoning.ts';
import { type ReasoningChunk, reasoningChunkSchema } from './reasoning-chunk.ts';

/** Version of the event format outside of the process (process, HTTP, journal, snapshot). */
export const EVENT_FORMAT_VERSION = 1;

/** Schema of any of the nine events. */
// A full type annotation would be a third of all declarations.
export const hookEventSchema: z.ZodDiscriminatedUnion<
  [
    typeof preCallSchema,
    typeof preReasoningSchema,
    typeof reasoningChunkSchema,
    typeof postReasoningSchema,
    typeof preActingSchema,
    typeof actingChunkSchema,
    typeof postActingSchema,
    typeof postCallSchema,
    typeof errorEventSchema,
  ],
  'type'
> = z.discriminatedUnion('type', [
  preCallSchema,
  preReasoningSchema,
  reasoningChunkSchema,
  postReasoningSchema,
  preActingSchema,
  actingChunkSchema,
  postActingSchema,
  postCallSchema,
  errorEventSchema,
]);

/** The closed union of all events in a run. */
export type HookEvent =
  | PreCall
  | PreReasoning
  | ReasoningChunk
  | PostReasoning
  | PreActing
  | ActingChunk
  | PostActing
  | PostCall
  | ErrorEvent;

/** The nine event types. */
export type EventType = HookEvent['type'];

/** The event or events of type `T`. */
export type EventOf<T extends EventType> = Extract<HookEvent, { type: T }>;

/** Events that are streamed within a step. */
export type ChunkEvent = EventOf<'reasoningChunk' | 'actingChunk'>;

/** All events except chunks. Each passes its handlers once, as a gate. */
export type GateEvent = Exclude<HookEvent, ChunkEvent>;

/** A settled event, with `seq` and `time`. */
export type SettledEvent<E extends HookEvent = HookEvent> = E & { readonly seq: number; readonly time: number };
