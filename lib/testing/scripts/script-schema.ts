import { z } from 'zod';
import { usageSchema } from '../../events/parts/usage.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

const errorSchema = z.union([z.string(), z.strictObject({ message: z.string(), name: z.string().exactOptional() })], {
  error: 'must be a string or { message, name? }',
});

const turnSchema = z
  .strictObject({
    thinking: z.string().exactOptional(),
    text: z.string().exactOptional(),
    chunks: z.array(z.string()).readonly().exactOptional(),
    toolCalls: z
      .array(z.strictObject({ id: z.string().min(1).exactOptional(), name: z.string(), input: jsonObjectSchema }))
      .readonly()
      .exactOptional(),
    usage: usageSchema.exactOptional(),
    error: errorSchema.exactOptional(),
  })
  .refine(({ text, chunks }) => text === undefined || chunks === undefined, {
    path: ['chunks'],
    error: 'cannot be combined with text; set the whole text, or its chunks',
  });

/** One answer of a scripted model: thinking, text (whole or in chunks), tool calls, usage. `error` makes it fail after that. */
export type ScriptTurn = z.infer<typeof turnSchema>;

/** Schema of the ordered answers of a scripted model as JSON. A string is a turn with that text. */
export const scriptSchema: z.ZodType<ScriptTurn[], readonly (ScriptTurn | string)[]> = z.array(
  z.preprocess((turn) => (typeof turn === 'string' ? { text: turn } : turn), turnSchema) as unknown as z.ZodType<
    ScriptTurn,
    ScriptTurn | string
  >,
);

/** An error in a script. */
export type ScriptError = z.infer<typeof errorSchema>;
