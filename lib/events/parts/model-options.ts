import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/** Schema of a `ToolChoice`. */
export const toolChoiceSchema = z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ tool: z.string() })]);

/** How a model is asked. `provider` is passed through to the model adapter untouched. */
export const modelOptionsSchema = z.strictObject({
  toolChoice: toolChoiceSchema.exactOptional(),
  temperature: z.number().exactOptional(),
  topP: z.number().exactOptional(),
  maxOutputTokens: z.int().positive().exactOptional(),
  stop: z.array(z.string()).readonly().exactOptional(),
  seed: z.int().exactOptional(),
  provider: jsonObjectSchema.exactOptional(),
});

/** Whether the model may, must or must not call tools, or which one it must call. */
export type ToolChoice = z.infer<typeof toolChoiceSchema>;
/** Settings of one model call, such as its temperature; what is left out is up to the model. */
export type ModelOptions = z.infer<typeof modelOptionsSchema>;
