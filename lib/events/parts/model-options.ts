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

/** Schema of a `ResponseFormat`. */
export const responseFormatSchema: z.ZodType<ResponseFormat> = responseFormatFields;

/** How a model is asked. `provider` is passed through to the model adapter untouched. */
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
/** Says that a model is to answer in JSON, by its own means; with `schema`, a JSON Schema, in JSON that fits it. */
export type ResponseFormat = {
  readonly [K in keyof z.infer<typeof responseFormatFields>]: z.infer<typeof responseFormatFields>[K];
};
/** Settings of one model call, such as its temperature; what is left out is up to the model. */
export type ModelOptions = {
  readonly [K in keyof z.infer<typeof modelOptionsFields>]: z.infer<typeof modelOptionsFields>[K];
};

/** Schema of `ModelOptions`. */
export const modelOptionsSchema: z.ZodType<ModelOptions> = modelOptionsFields;
