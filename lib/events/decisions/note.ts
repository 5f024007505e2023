import { z } from 'zod';
import { jsonValueSchema } from '../values/json-value.ts';

/** A note about a change. It never contains a secret. `by` is the hook, set by the engine. */
export const noteSchema = z.strictObject({
  by: z.string(),
  code: z.string(),
  message: z.string(),
  data: jsonValueSchema.exactOptional(),
});

/** A note of a hook about an event. It stays on the event. */
export type Note = { readonly [K in keyof z.infer<typeof noteSchema>]: z.infer<typeof noteSchema>[K] };

/** A note before the engine sets `by`. */
export type NoteInput = Omit<Note, 'by'>;
