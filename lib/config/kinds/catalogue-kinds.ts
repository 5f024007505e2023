import { resolve } from 'node:path';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { builtIns } from '../../hooks/built-ins.ts';
import type { Catalogue, CatalogueEntry } from '../../hooks/catalogue.ts';
import { isMarked } from '../issues/schema-at.ts';
import type { HookEntry } from '../native-schema.ts';
import { applyEntry } from './apply-entry.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';
import { callKind } from './kind-failure.ts';

export function catalogueKinds(catalogue: Catalogue): readonly HookKind[] {
  return catalogue.entries.map((entry) => ({
    name: entry.name,
    origin: builtIns.includes(entry) ? 'builtin' : 'custom',
    // Read on demand, because that loads the module of a built-in hook.
    get description() {
      return entry.description;
    },
    get optionsSchema() {
      return entry.optionsSchema;
    },
    get example() {
      return entry.example;
    },
    get onePerAgent() {
      return entry.onePerAgent ?? false;
    },
    approves: () => approves(entry),
    weakens: (before, after) => weakens(entry, before, after),
    anchor: (options, folder) =>
      mapFields(options, (value, key) =>
        isMarked(entry.optionsSchema, [key], 'local') ? anchored(value, folder) : value,
      ),
    files: ({ options }) => {
      const parsed = parse(entry, options);
      return parsed ? callKind(entry.name, 'files', () => pathsOf(entry.files?.(parsed.data))) : [];
    },
    notices: ({ options }) => {
      const parsed = parse(entry, options);
      return (parsed && callKind(entry.name, 'notices', () => entry.notices?.(parsed.data))) ?? [];
    },
    make({ name, entry: setting, defaults, host }) {
      // The state of a built-in hook is stored by its name, so that two entries of one kind do not mix.
      const named = builtIns.includes(entry) && hasName(entry.optionsSchema) ? { name } : {};
      const options = { ...named, ...setting.options, ...host.options?.[entry.name] };
      return { hooks: [applyEntry(catalogue.create(entry.name, options, host), name, setting, defaults)] };
    },
  }));
}

function weakens(entry: CatalogueEntry, before: HookEntry, after: HookEntry): boolean {
  const was = parse(entry, withoutVariables(before, after, entry));
  const now = parse(entry, withoutVariables(after, before, entry));
  if (entry.weakens && was && now)
    return callKind(entry.name, 'weakens', () => entry.weakens?.(was.data, now.data) !== false);
  // Invalid options cannot be compared.
  return changesWeaken(before, after);
}

/** Returns `undefined` for invalid options. Those of an asynchronous schema are reported where they are checked. */
function parse({ optionsSchema }: CatalogueEntry, options: object | undefined): { readonly data: unknown } | undefined {
  try {
    const { success, data } = optionsSchema.safeParse(options ?? {});
    return success ? { data } : undefined;
  } catch (thrown) {
    if (thrown instanceof z.core.$ZodAsyncError) return undefined;
    throw thrown;
  }
}

function pathsOf(files: readonly string[] = []): readonly string[] {
  if (Array.isArray(files) && files.every((file) => typeof file === 'string')) return files;
  throw new TypeError('it must return an array of paths');
}

/** A hook that may decide about calls may be meant to deny them. */
function approves({ approves: declared, events }: CatalogueEntry): boolean {
  return declared ?? events.includes('preActing');
}

function hasName(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && 'name' in schema.shape;
}

/** Returns the options unchanged. Variables have no values yet and may be invalid: if both entries have the same one, the example, if any, replaces it. */
function withoutVariables(
  { options = {} }: HookEntry,
  { options: other = {} }: HookEntry,
  { example = {} }: CatalogueEntry,
): JsonObject {
  const kept = Object.entries(options).flatMap(([key, value]) => {
    const text = JSON.stringify(value);
    if (!text.includes('${') || text !== JSON.stringify(other[key])) return [[key, value]];
    return key in example ? [[key, (example as JsonObject)[key]]] : [];
  });
  return Object.fromEntries(kept);
}

/** Resolves a path, or each path of a list, against a folder. A URL stays unchanged. */
function anchored(value: JsonValue, folder: string): JsonValue {
  if (typeof value === 'string') return /^[a-z][a-z\d+.-]+:\/\//i.test(value) ? value : resolve(folder, value);
  return Array.isArray(value) ? value.map((one: JsonValue) => anchored(one, folder)) : value;
}

function mapFields(holder: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(holder).map(([key, value]) => [key, change(value, key)]));
}
