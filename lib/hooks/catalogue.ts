import { z } from 'zod';
import { nearestOrAll } from '../errors/nearest-name.ts';
import { HooklineError } from '../errors.ts';
import { eventTypes } from '../events/decisions/event-rules.ts';
import type { EventType } from '../events/hook-event.ts';
import { isHook } from '../pipeline/define/define-hook.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { HookHost } from './hook-host.ts';
import { parseHookOptions } from './parse-hook-options.ts';

/** A kind of hook that can be created by name. `create` gets the options that `optionsSchema` parsed, and the host. */
export interface CatalogueEntry<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  /** The events that its hooks use. */
  readonly events: readonly EventType[];
  /** Whether its hooks may refuse calls (default: whether they use preActing). A configuration always keeps such hooks. */
  readonly approves?: boolean;
  /** Whether an agent can have only one such hook. A configuration with two for the same agent is rejected. */
  readonly onePerAgent?: boolean;
  readonly optionsSchema: S;
  /** Options of a typical case, as in a configuration. Required if some options have no default. */
  readonly example?: z.input<S> & object;
  /** Whether changed options make such a hook refuse, hold back or record less. Default: any change does. */
  weakens?(before: z.output<S>, after: z.output<S>): boolean;
  /** Files that such a hook depends on. The hook is created again when one changes. */
  files?(options: z.output<S>): readonly string[];
  /** Options without effect, by path. `hookline check` reports them. */
  notices?(options: z.output<S>): readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  create(options: z.output<S>, host: HookHost): Hook;
}

/** Kinds of hooks by name. An unknown name throws `INPUT_INVALID`, invalid options throw `OPTIONS_INVALID`. */
export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  readonly names: readonly string[];
  get(name: string): CatalogueEntry;
  /** Creates a hook. If it needs a missing part of the host, it throws `OPTIONS_INVALID`. */
  create(name: string, options?: unknown, host?: HookHost): Hook;
}

const entryShape = z.looseObject({
  name: z.string().min(1, 'must not be empty'),
  description: z.string(),
  events: z.array(z.enum(eventTypes)),
  approves: z.boolean().optional(),
  onePerAgent: z.boolean().optional(),
  optionsSchema: z.custom((value) => value instanceof z.ZodType, 'must be a schema of zod 4, not of zod/mini'),
  example: z.record(z.string(), z.unknown()).optional(),
  weakens: z.custom((value) => value === undefined || typeof value === 'function', 'must be a function').optional(),
  files: z.custom((value) => value === undefined || typeof value === 'function', 'must be a function').optional(),
  notices: z.custom((value) => value === undefined || typeof value === 'function', 'must be a function').optional(),
  create: z.custom((value) => typeof value === 'function', 'must be a function'),
});

/** Returns whether a value is meant as a catalogue entry. `createCatalogue` checks the rest. */
export function isCatalogueEntry(value: unknown): value is CatalogueEntry {
  return (
    typeof value === 'object' && value !== null && ('optionsSchema' in value || 'create' in value) && !isHook(value)
  );
}

/** Infers the options of `create` from the schema. */
export function defineCatalogueEntry<S extends z.ZodType>(entry: CatalogueEntry<S>): CatalogueEntry<S> {
  return entry;
}

/** Fields of an entry, other than its name. */
const fields = Object.keys(entryShape.shape).filter((field) => field !== 'name') as (keyof CatalogueEntry)[];

/** Entries that are valid without a check. */
const onDemand = new WeakSet<CatalogueEntry>();

/** Returns an entry whose fields are those of `load()`, and only its name is known without it. */
export function entryOnDemand(name: string, load: () => CatalogueEntry): CatalogueEntry {
  const getters = fields.map((field) => [field, { enumerable: true, get: () => load()[field] }]);
  const entry = Object.defineProperties({ name }, Object.fromEntries(getters)) as CatalogueEntry;
  onDemand.add(entry);
  return Object.freeze(entry);
}

/** Creates a catalogue. An invalid entry throws `HOOK_INVALID`, a duplicate name `HOOK_DUPLICATE`. */
export function createCatalogue(entries: readonly CatalogueEntry[]): Catalogue {
  const byName = new Map<string, CatalogueEntry>();
  for (const entry of entries) {
    const checked = onDemand.has(entry) ? undefined : entryShape.safeParse(entry);
    if (checked?.error) {
      const name = JSON.stringify((entry as CatalogueEntry | undefined)?.name) ?? 'without a name';
      throw new HooklineError('HOOK_INVALID', `Catalogue entry ${name}: ${z.prettifyError(checked.error)}`);
    }
    if (byName.has(entry.name)) {
      throw new HooklineError('HOOK_DUPLICATE', `The catalogue has two entries named "${entry.name}"; rename one.`);
    }
    byName.set(entry.name, entry);
  }
  const names = Object.freeze([...byName.keys()]);

  function get(name: string): CatalogueEntry {
    const entry = byName.get(name);
    if (entry) return entry;
    const help = nearestOrAll(String(name), names);
    throw new HooklineError('INPUT_INVALID', `The catalogue has no hook named "${name}". ${help}`);
  }

  return Object.freeze({
    entries: Object.freeze([...byName.values()]),
    names,
    get,
    create(name: string, options?: unknown, host: HookHost = {}) {
      const entry = get(name);
      const hook = entry.create(parseHookOptions(name, entry.optionsSchema, options), host);
      if (isHook(hook)) return hook;
      throw new HooklineError(
        'HOOK_INVALID',
        `Catalogue entry "${name}": create() must return a hook from defineHook().`,
      );
    },
  });
}
