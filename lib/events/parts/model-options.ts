import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

const toolChoices = z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ tool: z.string() })]);

/** Schema of a `ToolChoice`. */
export const toolChoiceSchema: z.ZodType<ToolChoice> = toolChoices;

const responseFormatFields = z.strictObject({
  type: z.literal('json'),
  name: z.string().exactOptional(),
  schema: jsonObjectSchema.exactOptional(),
});

const responseFormatSchema: z.ZodType<ResponseFormat> = responseFormatFields;

/** Options of a model request. `provider` is passed unchanged to the model adapter. */
const modelOptionsFields = z.strictObject({
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
export type ToolChoice = Readonly<z.infer<typeof toolChoices>>;
/** Requests JSON output with the model's own feature. With `schema`, a JSON Schema, the output matches it. */
export type ResponseFormat = {
  readonly [K in keyof z.infer<typeof responseFormatFields>]: z.infer<typeof responseFormatFields>[K];
};
/** Options of one model request, such as its temperature. The model's defaults apply to missing options. */
export type ModelOptions = {
  readonly [K in keyof z.infer<typeof modelOptionsFields>]: z.infer<typeof modelOptionsFields>[K];
};

/** Schema of `ModelOptions`. */
export const modelOptionsSchema: z.ZodType<ModelOptions> = modelOptionsFields;
