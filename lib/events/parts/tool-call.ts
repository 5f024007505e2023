import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/**
 * A call that the model asked for. `input` is what the tool would get before its schema has been applied.
 * `inputError` is set by a model adapter whose provider sent arguments that are not a JSON object; such a call fails with it.
 */
const toolCallFields = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  input: jsonObjectSchema,
  inputError: z.string().exactOptional(),
});

/** A call of a tool: its id, the name of the tool and the input, a JSON object. */
export type ToolCall = { readonly [K in keyof z.infer<typeof toolCallFields>]: z.infer<typeof toolCallFields>[K] };

/** Schema of a `ToolCall`. */
export const toolCallSchema: z.ZodType<ToolCall> = toolCallFields;
