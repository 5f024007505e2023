import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/**
 * A call that the model requested. `input` is the tool input before its schema is applied. A model adapter sets `inputError` if the arguments are not
 * a JSON object. Such a call fails with that error.
 */
const toolCallFields = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  input: jsonObjectSchema,
  inputError: z.string().exactOptional(),
});

/** A tool call: its id, the tool name and the input, a JSON object. */
export type ToolCall = { readonly [K in keyof z.infer<typeof toolCallFields>]: z.infer<typeof toolCallFields>[K] };

/** Schema of a `ToolCall`. */
export const toolCallSchema: z.ZodType<ToolCall> = toolCallFields;
