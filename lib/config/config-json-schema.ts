import { z } from 'zod';
import type { JsonObject } from '../events/values/json-value.ts';
import type { HookKind } from './kinds/hook-kind.ts';
import type { HookKinds } from './kinds/hook-kinds.ts';
import { hookEntrySchema, nativeSchema } from './native-schema.ts';

/** The native format as a JSON Schema (draft 2020-12), for editors: with the options of each kind of hook. */
export function configJsonSchema(kinds: HookKinds): JsonObject {
  const kindSchemas = [...kinds.values()].map((kind) =>
    hookEntrySchema
      .extend({
        type: z.literal(kind.name),
        // Defaults are filled in, so that nothing is required that has one.
        options: kind.optionsSchema.optional(),
        ...(kind.name === 'module' && { path: z.string().min(1) }),
      })
      .describe(kind.description),
  );
  const untyped = hookEntrySchema.omit({ type: true }).describe('More about a hook that an earlier file has.');
  const schema = nativeSchema.extend({ hooks: z.record(z.string(), z.union([...kindSchemas, untyped])).optional() });
  return { ...jsonSchemaOf(schema), title: 'Configuration of Hookline' };
}

/** The options of a kind of hook as a JSON Schema, as they are written. */
export function optionsJsonSchema({ optionsSchema }: HookKind): JsonObject {
  const { $schema, ...schema } = jsonSchemaOf(optionsSchema);
  return schema;
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    // Functions and loggers can be given by a program only.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'custom') jsonSchema.not = {};
    },
  });
  return made as unknown as JsonObject;
}
