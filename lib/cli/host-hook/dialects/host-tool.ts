import { HooklineError } from '../../../errors.ts';
import type { Permission } from '../../../events/parts/tool-description.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import type { HostTool } from '../judge/host-call.ts';

/** How a tool of a host maps to a tool that rules know. */
export interface ToolMap {
  /** Our name of the tool, or the name of Claude Code. */
  readonly as: string;
  readonly permission: Permission;
  /** Our field for a field of the host. Other fields keep their names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields of the host that no rule evaluates, such as a description for the user. */
  readonly apart?: readonly string[];
  /** Our fields that the call must have as texts. Without them, rules could not evaluate what the call does. */
  readonly needs?: readonly string[];
  /** Our fields that the call must have as lists of texts. */
  readonly needsList?: readonly string[];
}

/** Tools of a host by their names. */
export type ToolMaps = Readonly<Record<string, ToolMap>>;

/** Returns a tool of a host. An unknown tool keeps its name. Throws `INPUT_INVALID` if a field that rules need is missing. */
export function hostTool(maps: ToolMaps, name: string, input: JsonObject): HostTool {
  const map = Object.hasOwn(maps, name) ? maps[name] : undefined;
  if (!map) return { name, toOurs: (given) => given, keyOf: (field) => field };
  const { as, permission, fields = {}, apart = [], needs = [], needsList = [] } = map;
  const toOurs = (given: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(given).flatMap(([key, value]) => (apart.includes(key) ? [] : [[ourField(fields, key), value]])),
    );
  const missing = (from: JsonObject): string | undefined =>
    needs.find((field) => !isText(from[field])) ?? needsList.find((field) => !isTexts(from[field]));
  const field = missing(toOurs(input));
  if (field !== undefined) throw unreadable(name, spellings(fields, field));
  return {
    name: as,
    permission,
    toOurs,
    keyOf: (field) => Object.keys(fields).find((key) => fields[key] === field) ?? field,
    // The host would ignore the change, or run the call with a default.
    restore: (changed) => (missing(changed) === undefined ? changed : undefined),
  };
}

/** Returns the error for a call that rules cannot evaluate. */
export function unreadable(name: string, field: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `the call of ${name} has no text ${field}, so rules cannot evaluate it`);
}

const isText = (value: JsonValue | undefined): boolean => typeof value === 'string' && value !== '';

const isTexts = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText);

const ourField = (fields: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(fields, key) ? (fields[key] as string) : key;

function spellings(fields: Readonly<Record<string, string>>, field: string): string {
  const keys = Object.keys(fields).filter((key) => fields[key] === field);
  return [...new Set([...keys, ...(keys.length === 0 ? [field] : [])])].map((key) => `"${key}"`).join(' or ');
}
