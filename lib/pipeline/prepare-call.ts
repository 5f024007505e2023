import type { z } from 'zod';
import { messageOf } from '../errors/describe-thrown.ts';
import { deepFreeze } from '../events/deep-freeze.ts';
import type { JsonObject, JsonValue } from '../events/json-value.ts';
import { toJson } from '../events/to-json.ts';
import type { ToolCall } from '../events/tool-call.ts';
import { withDecoys } from './decoy.ts';
import type { Tool } from './tool.ts';
import type { Vault } from './vault.ts';

/** The call as everybody may see it, and the input as `execute` gets it; or why it cannot run. */
export type PreparedCall = { readonly toolCall: ToolCall; readonly input: JsonValue } | { readonly refused: string };

/**
 * Puts sealed values in, applies the tool's schema (coercions included), copies the result as JSON data and freezes it. In the public
 * call the labels stand again where the values are. A misfit is refused with a sentence that names the field, for the model.
 */
export function prepareCall(
  toolCall: ToolCall,
  tool: Tool | undefined,
  known: readonly string[],
  vault: Vault,
): PreparedCall {
  if (!tool) return { refused: `There is no tool "${toolCall.name}". Tools: ${known.join(', ') || 'none'}.` };
  if (toolCall.inputError !== undefined)
    return { refused: `Input of tool "${tool.name}" cannot be read: ${toolCall.inputError}` };
  const { input, sealed } = vault.open(toolCall.input);
  try {
    const parsed = tool.inputSchema.safeParse(input);
    if (!parsed.success) return { refused: misfit(tool, parsed.error, sealed) };
    const copied = deepFreeze(toJson(parsed.data, 'input'));
    if (typeof copied !== 'object' || copied === null || Array.isArray(copied)) {
      return { refused: `Input of tool "${tool.name}" is not an object after its schema has been applied.` };
    }
    const visible = sealed.size === 0 ? (copied as JsonObject) : deepFreeze(relabel(copied, '', sealed) as JsonObject);
    if (leaks(visible, input, sealed) || derives(tool, visible, input, sealed))
      return {
        refused: `The schema of tool "${tool.name}" copies a sealed value, or something made of it, to another field.`,
      };
    return { toolCall: Object.freeze({ ...toolCall, input: visible }), input: copied };
  } catch (thrown) {
    // What a schema throws could quote a sealed value.
    const paths = [...sealed.keys()].map((path) => path.slice(1).replace(/\//g, '.'));
    const why = sealed.size > 0 ? `its schema failed with the sealed values at ${paths.join(', ')}` : messageOf(thrown);
    return { refused: `Input of tool "${tool.name}" cannot be used: ${why}` };
  }
}

/** Whether the schema makes something else of a sealed value: with a decoy in its place, another field comes out otherwise. */
function derives(
  tool: Tool,
  visible: JsonObject,
  opened: JsonObject,
  sealed: ReadonlyMap<string, JsonObject>,
): boolean {
  if (sealed.size === 0) return false;
  const parsed = tool.inputSchema.safeParse(withDecoys(opened, '', sealed));
  // A decoy that does not fit tells nothing; copies have been looked for already.
  if (!parsed.success) return false;
  return JSON.stringify(relabel(toJson(parsed.data, 'input'), '', sealed)) !== JSON.stringify(visible);
}

function misfit(tool: Tool, error: z.ZodError, sealed: ReadonlyMap<string, JsonObject>): string {
  const faults = error.issues.map((issue) => {
    const path = issue.path.map(String);
    const under = [...sealed.keys()].some((at) => `${pointer(path)}/`.startsWith(`${at}/`));
    const over = [...sealed.keys()].some((at) => at.startsWith(`${pointer(path)}/`));
    // What zod, or a check of the schema's own, says of a sealed value or of what holds it could quote it.
    return under || over
      ? `${path.join('.') || 'input'}: ${under ? 'the sealed value' : 'what holds a sealed value'} does not fit`
      : `${path.join('.') || 'input'}: ${issue.message}`;
  });
  return `Input of tool "${tool.name}" does not fit. ${faults.join('; ')}`;
}

function relabel(value: JsonValue, path: string, sealed: ReadonlyMap<string, JsonObject>): JsonValue {
  const placeholder = sealed.get(path);
  if (placeholder) return placeholder;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => relabel(item, `${path}/${index}`, sealed));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, relabel(item, path + pointer([key]), sealed)]),
  );
}

/** Values so short that they turn up by chance are not looked for. */
const SHORTEST_SECRET = 6;

function leaks(visible: JsonObject, opened: JsonObject, sealed: ReadonlyMap<string, JsonObject>): boolean {
  if (sealed.size === 0) return false;
  const shown = JSON.stringify(visible);
  return [...sealed.keys()]
    .flatMap((path) => leaves(at(opened, path)))
    .some((leaf) => leaf.length >= SHORTEST_SECRET && shown.includes(leaf));
}

/** The texts and numbers in a value, as they stand in JSON. */
function leaves(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function at(value: JsonValue, path: string): JsonValue | undefined {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
  return keys.reduce<JsonValue | undefined>(
    (holder, key) => (holder as Record<string, JsonValue> | undefined)?.[key],
    value,
  );
}

function pointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}
