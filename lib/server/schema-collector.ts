import { z } from 'zod';
import type { JsonObject } from '../events/json-value.ts';

/** Makes JSON Schemas for one document. What they refer to by name is kept in `named`, the document's own place for it. */
export interface SchemaCollector {
  readonly named: Record<string, JsonObject>;
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject;
}

export function createSchemaCollector(): SchemaCollector {
  const named: Record<string, JsonObject> = {};
  let count = 0;

  return {
    named,
    add(schema, io) {
      const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
      const name = `Part${++count}`;
      // A schema refers to its own root and definitions, which are others in a document of many.
      const text = JSON.stringify(made)
        .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${name}_`)
        .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`);
      const { $schema: _, $defs = {}, ...root } = JSON.parse(text) as JsonObject;
      for (const [part, value] of Object.entries($defs as JsonObject)) named[`${name}_${part}`] = value as JsonObject;
      if (!text.includes(`"#/components/schemas/${name}"`)) return root;
      named[name] = root;
      return { $ref: `#/components/schemas/${name}` };
    },
  };
}
