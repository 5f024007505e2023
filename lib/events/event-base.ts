import { z } from 'zod';
import { type Note, noteSchema } from './decisions/note.ts';
import { runInfoSchema } from './parts/run-info.ts';

/**
 * The members that all events share. `iteration` counts the run's reasonings from 1 (0 before the first). `seq` (per run,
 * from 0, without gaps, in settling order) and `time` (milliseconds, `scheduler.now()`) are stamped when the event settles.
 */
export const eventBase = {
  run: runInfoSchema,
  iteration: z.int().nonnegative(),
  notes: z.array<z.ZodType<Note>>(noteSchema).readonly().exactOptional(),
  seq: z.int().nonnegative().exactOptional(),
  time: z.number().exactOptional(),
};

/** The fields of an event as hooks get them. The engine freezes events, so their types are read-only all the way down. */
export type FrozenFields<S extends z.ZodType> = {
  readonly [K in keyof z.infer<S>]: K extends 'decision' ? Readonly<z.infer<S>[K]> : z.infer<S>[K];
};
