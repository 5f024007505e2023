import { z } from 'zod';
import { noteSchema } from './decisions/note.ts';
import { runInfoSchema } from './parts/run-info.ts';

/**
 * The members that all events share. `iteration` counts the run's reasonings from 1 (0 before the first). `seq` (per run,
 * from 0, without gaps, in settling order) and `time` (milliseconds, `scheduler.now()`) are stamped when the event settles.
 */
export const eventBase = {
  run: runInfoSchema,
  iteration: z.int().nonnegative(),
  notes: z.array(noteSchema).readonly().exactOptional(),
  seq: z.int().nonnegative().exactOptional(),
  time: z.number().exactOptional(),
};
