import { z } from 'zod';
import { type Note, noteSchema } from './decisions/note.ts';
import { runInfoSchema } from './parts/run-info.ts';

/** Fields of all events. `seq` and `time` are set when the event settles. */
export const eventBase = {
  /** The run. @example { runId: 'r1', sessionId: 's1', agent: 'main', depth: 0 } */
  run: runInfoSchema,
  /** Model step of the run, from 1; 0 before the first one. @example 1 */
  iteration: z.int().nonnegative(),
  /** Notes of hooks. @example [{ code: 'redacted', message: 'One secret.', by: 'scan' }] */
  notes: z.array<z.ZodType<Note>>(noteSchema).readonly().exactOptional(),
  /** Position in the run, from 0, without gaps, in the order of settling. @example 4 */
  seq: z.int().nonnegative().exactOptional(),
  /** Time in milliseconds, `scheduler.now()`. @example 1795718946721 */
  time: z.number().exactOptional(),
};

/** Fields of events as hooks receive them. The engine freezes events, so their types are deeply read-only. */
export type FrozenFields<S extends z.ZodType> = {
  readonly [K in keyof z.infer<S>]: K extends 'decision' ? Readonly<z.infer<S>[K]> : z.infer<S>[K];
};
