import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

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

export type ToolChoice = z.infer<typeof toolChoiceSchema>;
export type ModelOptions = z.infer<typeof modelOptionsSchema>;
