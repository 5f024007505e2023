import { z } from 'zod';
import type { JsonObject } from '../../events/values/json-value.ts';

/** Creates JSON Schemas for one document. `named` has the definitions that they refer to by name. */
export interface SchemaCollector {
  readonly named: Record<string, JsonObject>;
  /** Adds a schema. One with an id (`.meta({ id })`) becomes a definition of that name. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject;
}

/** Name of a recursive schema without an id. The only one is plain JSON. */
const UNNAMED = 'Json';

/** The schema of any JSON value. It is recursive, and types that generators create from it do not compile. */
function anyJson(): string {
  const { $schema: _, ...schema } = z.toJSONSchema(z.json());
  return JSON.stringify(schema).replaceAll('"$ref":"#"', '"$ref":"@"');
}

export function createSchemaCollector(): SchemaCollector {
  const named: Record<string, JsonObject> = {};
  /** Names by definition; references of a definition to itself are replaced by a placeholder. */
  const names = new Map<string, string>();

  function nameOf(wanted: string, open: string): string {
    const known = names.get(open);
    if (known !== undefined) return known;
    let name = wanted;
    for (let nth = 2; Object.hasOwn(named, name); nth += 1) name = `${wanted}${nth}`;
    names.set(open, name);
    return name;
  }

  /** Stores a definition and returns its name in the document. */
  function keep(wanted: string, definition: string, self: string): string {
    const open = definition.replaceAll(self, '"$ref":"@"');
    const name = nameOf(wanted, open);
    named[name] =
      open === anyJson() ? { description: 'Any JSON value.' } : JSON.parse(open.replaceAll('"$ref":"@"', refTo(name)));
    return name;
  }

  return {
    named,
    add(schema, io) {
      const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject;
      let text = JSON.stringify(root);
      let left = Object.entries($defs as JsonObject).map(([part, definition]) => ({
        part,
        body: JSON.stringify(definition),
      }));
      while (left.length > 0) {
        // Prefers a definition that refers to no other one, because its name is known. Any one of a cycle.
        const others = (one: (typeof left)[number]) =>
          left.filter((other) => other !== one && one.body.includes(refOf(other.part)));
        const next = left.find((one) => others(one).length === 0) ?? left[0]!;
        const wanted = /^__schema\d+$/.test(next.part) ? UNNAMED : next.part;
        const name = keep(wanted, next.body, refOf(next.part));
        const put = (body: string) => body.replaceAll(refOf(next.part), refTo(name));
        text = put(text);
        left = left.filter((one) => one !== next).map(({ part, body }) => ({ part, body: put(body) }));
      }
      const made = JSON.parse(text) as JsonObject;
      // A schema with an id is a definition already.
      if (!text.includes('"$ref":"#"')) return made;
      return { $ref: `#/components/schemas/${keep(UNNAMED, text, '"$ref":"#"')}` };
    },
  };
}

function refOf(part: string): string {
  return `"$ref":"#/$defs/${part}"`;
}

function refTo(name: string): string {
  return `"$ref":"#/components/schemas/${name}"`;
}
