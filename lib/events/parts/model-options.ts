import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/** Schema of a `ToolChoice`. */
export const toolChoiceSchema = z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ tool: z.string() })]);

/** Schema of a `ResponseFormat`. */
export const responseFormatSchema = z.strictObject({
  type: z.literal('json'),
  name: z.string().exactOptional(),
  schema: jsonObjectSchema.exactOptional(),
});

/** How a model is asked. `provider` is passed through to the model adapter untouched. */
export const modelOptionsSchema = z.strictObject({
  toolChoice: toolChoiceSchema.exactOptional(),
  temperature: z.number().exactOptional(),
  topP: z.number().exactOptional(),
  maxOutputTokens: z.int().positive().exactOptional(),
  stop: z.array(z.string()).readonly().exactOptional(),
  seed: z.int().exactOptional(),
  responseFormat: responseFormatSchema.exactOptional(),
  provider: jsonObjectSchema.exactOptional(),
});

/** Whether the model may, must or must not call tools, or which one it must call. */
export type ToolChoice = z.infer<typeof toolChoiceSchema>;
/** Says that a model is to answer in JSON, by its own means; with `schema`, a JSON Schema, in JSON that fits it. */
export type ResponseFormat = z.infer<typeof responseFormatSchema>;
/** Settings of one model call, such as its temperature; what is left out is up to the model. */
export type ModelOptions = z.infer<typeof modelOptionsSchema>;
