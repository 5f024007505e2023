import { z } from 'zod';
import type { JsonObject } from '../../events/values/json-value.ts';

/** Makes JSON Schemas for one document. What they refer to by name is kept in `named`, the document's own place for it. */
export interface SchemaCollector {
  readonly named: Record<string, JsonObject>;
  /** A schema that bears an id (`.meta({ id })`) is kept under that name. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject;
}

/** What a schema that bears no name is called where it refers to itself: in all of ours that is plain JSON. */
const UNNAMED = 'Json';

/** What any JSON looks like: it refers to itself, and types that generators make of that do not compile. */
function anyJson(): string {
  const { $schema: _, ...schema } = z.toJSONSchema(z.json());
  return JSON.stringify(schema).replaceAll('"$ref":"#"', '"$ref":"@"');
}

export function createSchemaCollector(): SchemaCollector {
  const named: Record<string, JsonObject> = {};
  /** Names by what they stand for, references to itself left open. */
  const names = new Map<string, string>();

  function nameOf(wanted: string, open: string): string {
    const known = names.get(open);
    if (known !== undefined) return known;
    let name = wanted;
    for (let nth = 2; Object.hasOwn(named, name); nth += 1) name = `${wanted}${nth}`;
    names.set(open, name);
    return name;
  }

  /** Keeps a definition, and gives the name that it has in the document. */
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
        // One that refers to none of the others, so that its name can be told; of those that refer to each other any.
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
      // One that bears an id is a definition already.
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
