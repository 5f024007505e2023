import { z } from 'zod';
import type { JsonObject } from '../events/values/json-value.ts';
import type { HookKind } from './kinds/hook-kind.ts';
import type { HookKinds } from './kinds/hook-kinds.ts';
import { hookEntrySchema, nativeSchema } from './native-schema.ts';

/** Returns the native format as a JSON Schema (draft 2020-12) for editors, with the options of each hook kind. */
export function configJsonSchema(kinds: HookKinds): JsonObject {
  const kindSchemas = [...kinds.values()].map((kind) =>
    hookEntrySchema
      .extend({
        type: z.literal(kind.name),
        // Fields with a default are not required.
        options: kind.optionsSchema.optional(),
        ...(kind.name === 'module' && { path: z.string().min(1) }),
      })
      .describe(kind.description),
  );
  const untyped = hookEntrySchema.omit({ type: true }).describe('Changes a hook of an earlier file.');
  const schema = nativeSchema.extend({ hooks: z.record(z.string(), z.union([...kindSchemas, untyped])).optional() });
  return { ...jsonSchemaOf(schema), title: 'Hookline configuration' };
}

/** Returns the options of a hook kind as a JSON Schema of its input. */
export function optionsJsonSchema({ optionsSchema }: HookKind): JsonObject {
  const { $schema, ...schema } = jsonSchemaOf(optionsSchema);
  return schema;
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    // Only a program can pass functions and loggers.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'custom') jsonSchema.not = {};
    },
  });
  return made as unknown as JsonObject;
}
