import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';

/** Permission of a tool: `read` only reads, `write` changes the workspace, `external` is anything else (the default for unknown tools). */
export const permissionSchema = z.enum(['read', 'write', 'external']);

/** A tool in a model request. `inputSchema` is JSON Schema. */
const toolDescriptionFields = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  permission: permissionSchema,
});

/** Effect of a tool: it reads, writes, or reaches outside. */
export type Permission = z.infer<typeof permissionSchema>;
/** A tool in a model request. */
export type ToolDescription = {
  readonly [K in keyof z.infer<typeof toolDescriptionFields>]: z.infer<typeof toolDescriptionFields>[K];
};

/** Schema of a `ToolDescription`. */
export const toolDescriptionSchema: z.ZodType<ToolDescription> = toolDescriptionFields;
