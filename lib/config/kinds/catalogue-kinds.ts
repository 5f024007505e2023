import { resolve } from 'node:path';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { builtIns } from '../../hooks/built-ins.ts';
import type { Catalogue } from '../../hooks/catalogue.ts';
import { isMarked } from '../faults/schema-at.ts';
import { applyEntry } from './apply-entry.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';

/** The kinds that a catalogue has. */
export function catalogueKinds(catalogue: Catalogue): readonly HookKind[] {
  return catalogue.entries.map((entry) => ({
    name: entry.name,
    description: entry.description,
    origin: builtIns.includes(entry) ? 'builtin' : 'custom',
    optionsSchema: entry.optionsSchema,
    ...(entry.example && { example: entry.example }),
    // What may decide about calls may be there to refuse them.
    approves: () => entry.approves ?? entry.events.includes('preActing'),
    weakens(before, after) {
      const [was, now] = [before, after].map(({ options }) => entry.optionsSchema.safeParse(options ?? {}));
      // Variables are not filled in yet, so that options that are right may not fit.
      if (!entry.weakens || !was?.success || !now?.success) return changesWeaken(before, after);
      return entry.weakens(was.data, now.data);
    },
    anchor: (options, folder) =>
      mapMembers(options, (value, key) =>
        isMarked(entry.optionsSchema, [key], 'local') ? anchored(value, folder) : value,
      ),
    files: ({ options }) => {
      const parsed = entry.optionsSchema.safeParse(options ?? {});
      return (parsed.success && entry.files?.(parsed.data)) || [];
    },
    notices: ({ options }) => {
      const parsed = entry.optionsSchema.safeParse(options ?? {});
      return (parsed.success && entry.notices?.(parsed.data)) || [];
    },
    make({ name, entry: setting, defaults, host }) {
      // What a hook of ours keeps goes by its name, so that two entries of one kind do not mix.
      const named = builtIns.includes(entry) && hasName(entry.optionsSchema) ? { name } : {};
      const options = { ...named, ...setting.options, ...host.options?.[entry.name] };
      return { hooks: [applyEntry(catalogue.create(entry.name, options, host), name, setting, defaults)] };
    },
  }));
}

function hasName(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && 'name' in schema.shape;
}

/** A path, or each of a list, from where it lies. A URL lies nowhere. */
function anchored(value: JsonValue, folder: string): JsonValue {
  if (typeof value === 'string') return /^[a-z][a-z\d+.-]+:\/\//i.test(value) ? value : resolve(folder, value);
  return Array.isArray(value) ? value.map((one: JsonValue) => anchored(one, folder)) : value;
}

function mapMembers(holder: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(holder).map(([key, value]) => [key, change(value, key)]));
}
