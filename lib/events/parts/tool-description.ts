import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/** What a tool may touch: `read` nothing but reading, `write` changes the workspace, `external` anything else (the default for the unknown). */
export const permissionSchema = z.enum(['read', 'write', 'external']);

/** A tool as a model is told of it. `inputSchema` is JSON Schema. */
const toolDescriptionFields = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  permission: permissionSchema,
});

/** What a tool does to the world: it only reads, it writes, or it reaches outside. */
export type Permission = z.infer<typeof permissionSchema>;
/** A tool as the model is told of it. */
export type ToolDescription = {
  readonly [K in keyof z.infer<typeof toolDescriptionFields>]: z.infer<typeof toolDescriptionFields>[K];
};

/** Schema of a `ToolDescription`. */
export const toolDescriptionSchema: z.ZodType<ToolDescription> = toolDescriptionFields;
