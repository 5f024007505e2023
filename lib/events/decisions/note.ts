import { z } from 'zod';
import { jsonValueSchema } from '../values/json-value.ts';

/** A remark beside a change; never holds a secret value. `by` is the hook, stamped by the engine. */
export const noteSchema = z.strictObject({
  by: z.string(),
  code: z.string(),
  message: z.string(),
  data: jsonValueSchema.exactOptional(),
});

/** What a hook says about an event; it goes with the event to the end of the run. */
export type Note = { readonly [K in keyof z.infer<typeof noteSchema>]: z.infer<typeof noteSchema>[K] };

/** A note as a hook writes it, before the engine stamps `by`. */
export type NoteInput = Omit<Note, 'by'>;
