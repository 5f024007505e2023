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

/** The version of the event format as it crosses a boundary (process, HTTP, journal, snapshot). */
export const EVENT_FORMAT_VERSION = 1;

/** Schema of any of the nine events. */
// Written out, its type would be a third of all declarations.
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

/** The sealed union of everything that happens in a run. */
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

/** The event (or events) of type `T`. */
export type EventOf<T extends EventType> = Extract<HookEvent, { type: T }>;

/** The events that come as a stream within a step. */
export type ChunkEvent = EventOf<'reasoningChunk' | 'actingChunk'>;

/** All events that are not chunks; each passes its handlers once, as a gate. */
export type GateEvent = Exclude<HookEvent, ChunkEvent>;

/** An event that has settled: `seq` and `time` are there. */
export type SettledEvent<E extends HookEvent = HookEvent> = E & { readonly seq: number; readonly time: number };
