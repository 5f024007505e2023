import { messageOf } from '../../errors/describe-thrown.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import { isThenable } from '../../events/values/is-async.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { escapePointer } from '../../events/values/sealed-placeholder.ts';
import { toJson } from '../../events/values/to-json.ts';
import { type InputIssue, type ParsedInput, toInputSchema } from '../../schemas/input-schema.ts';
import type { Tool } from '../define/tool.ts';
import type { Opened, Sealed, Vault } from './vault.ts';

/** The public call and the input for `execute`, or the reason that the call cannot run. */
export type PreparedCall =
  | { readonly toolCall: ToolCall; readonly input: JsonValue; readonly sealed: Sealed }
  | { readonly refused: string };

/**
 * Injects sealed values, applies the tool's schema with its coercions, copies the result as JSON and freezes it. The public call contains labels
 * instead of the values. An invalid input is refused with a sentence for the model that names the field. Returns a promise only if the schema is
 * asynchronous.
 */
export function prepareCall(
  toolCall: ToolCall,
  tool: Tool | undefined,
  known: readonly string[],
  vault: Vault,
): PreparedCall | Promise<PreparedCall> {
  if (!tool) return { refused: `There is no tool "${toolCall.name}". Tools: ${known.join(', ') || 'none'}.` };
  if (toolCall.inputError !== undefined)
    return { refused: `Input of tool "${tool.name}" cannot be read: ${toolCall.inputError}` };
  const misdirected = vault.misdirected(toolCall);
  if (misdirected !== undefined) return { refused: `Input of tool "${tool.name}" cannot be used: ${misdirected}` };
  const opened = vault.open(toolCall.input);
  const fail = (thrown: unknown): PreparedCall => unusable(tool, thrown, opened.sealed);
  try {
    const prepared =
      opened.sealed.size === 0
        ? after(toInputSchema(tool.inputSchema).parse(opened.input), (parsed) =>
            plainCall(toolCall, tool, parsed, opened),
          )
        : sealedCall(toolCall, tool, opened);
    return isThenable(prepared) ? prepared.then(undefined, fail) : prepared;
  } catch (thrown) {
    return fail(thrown);
  }
}

function plainCall(toolCall: ToolCall, tool: Tool, parsed: ParsedInput, { sealed }: Opened): PreparedCall {
  if (!parsed.success) return { refused: misfit(tool, parsed.issues.map(issueText)) };
  const input = asObject(parsed.data);
  return input ? { toolCall: deepFreeze({ ...toolCall, input }), input, sealed } : { refused: noObject(tool) };
}

/**
 * The public input comes from decoys in the sealed places. The real input may differ only in those places. Otherwise the schema would reveal part of
 * a secret in another field.
 */
function sealedCall(
  toolCall: ToolCall,
  tool: Tool,
  { input, decoyed, sealed }: Opened,
): PreparedCall | Promise<PreparedCall> {
  return after(toInputSchema(tool.inputSchema).parse(input), (parsed) => {
    const real = parsed.success ? asObject(parsed.data) : undefined;
    if (parsed.success && !real) return { refused: noObject(tool) };
    return after(toInputSchema(tool.inputSchema).parse(decoyed), (harmless) => {
      if (!real) return { refused: misfit(tool, sealedIssues(parsed, harmless, sealed)) };
      const shown = harmless.success ? asObject(harmless.data) : undefined;
      if (!shown) return { refused: decoyMisfit(tool, sealed) };
      const visible = relabel(shown, '', sealed) as JsonObject;
      if (leaks(visible, sealed) || JSON.stringify(relabel(real, '', sealed)) !== JSON.stringify(visible)) {
        const why = 'copies a sealed value, or something made of it, to another field';
        return { refused: `The schema of tool "${tool.name}" ${why}.` };
      }
      return { toolCall: deepFreeze({ ...toolCall, input: visible }), input: deepFreeze(real), sealed };
    });
  });
}

/** Continues with a value, synchronously unless it is a promise. */
function after<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return isThenable(value) ? (value as Promise<T>).then(then) : then(value);
}

/** Copies the output of a schema as JSON that is frozen with its call. Returns `undefined` if it is not an object. */
function asObject(data: unknown): JsonObject | undefined {
  const copied = toJson(data, 'input');
  return typeof copied === 'object' && copied !== null && !Array.isArray(copied) ? (copied as JsonObject) : undefined;
}

function noObject(tool: Tool): string {
  return `Input of tool "${tool.name}" is not an object after its schema has been applied.`;
}

function pathsOf(sealed: Sealed): string {
  return [...sealed.keys()].map(dotted).join(', ');
}

function dotted(pointer: string): string {
  return pointer.slice(1).replace(/\//g, '.');
}

function decoyMisfit(tool: Tool, sealed: Sealed): string {
  const way = 'context.seal(label, value, { decoy }) sets a harmless value that matches the schema';
  return `Input of tool "${tool.name}" is sealed at ${pathsOf(sealed)}, and its schema cannot be applied without showing what it makes of the value there. ${way}.`;
}

function unusable(tool: Tool, thrown: unknown, sealed: Sealed): PreparedCall {
  // An error that the schema throws could quote a sealed value.
  const why = sealed.size > 0 ? `its schema failed with the sealed values at ${pathsOf(sealed)}` : messageOf(thrown);
  return { refused: `Input of tool "${tool.name}" cannot be used: ${why}` };
}

function misfit(tool: Tool, problems: readonly string[]): string {
  return `The input of tool "${tool.name}" is invalid. ${[...new Set(problems)].join('; ')}`;
}

function issueText({ path, message }: InputIssue): string {
  return `${path.map(String).join('.') || 'input'}: ${message}`;
}

/**
 * An issue of zod, or of a custom check, could quote a sealed value, its parent, or another field because of it. So an issue keeps its message only
 * if the decoy causes the same one.
 */
function sealedIssues(parsed: ParsedInput, harmless: ParsedInput, sealed: Sealed): string[] {
  const known = new Set(issuesOf(harmless).map(issueText));
  const places = [...sealed.keys()];
  return issuesOf(parsed).map((issue) => {
    const at = issue.path.map((key) => `/${escapePointer(String(key))}`).join('');
    const under = places.find((place) => `${at}/`.startsWith(`${place}/`));
    if (under !== undefined) return `${dotted(under)}: the sealed value is invalid`;
    const holds = places.some((place) => place.startsWith(`${at}/`));
    if (!holds && known.has(issueText(issue))) return issueText(issue);
    return `${(holds && dotted(at)) || 'input'}: a field with a sealed value is invalid`;
  });
}

function issuesOf(parsed: ParsedInput): readonly InputIssue[] {
  return parsed.success ? [] : parsed.issues;
}

/** Replaces the sealed values in the output of a schema with their placeholders. */
function relabel(value: JsonValue, path: string, sealed: Sealed): JsonValue {
  const placeholder = sealed.get(path)?.placeholder;
  if (placeholder) return placeholder;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => relabel(item, `${path}/${index}`, sealed));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, relabel(item, `${path}/${escapePointer(key)}`, sealed)]),
  );
}

/** Shorter values occur by chance and are not searched for. */
const SHORTEST_SECRET = 6;

/** Returns whether the public input contains the text of a sealed value. */
export function leaks(visible: JsonObject, sealed: Sealed): boolean {
  const shown = JSON.stringify(visible);
  return [...sealed.values()]
    .flatMap(({ value }) => leaves(value))
    .some((leaf) => leaf.length >= SHORTEST_SECRET && shown.includes(leaf));
}

/** The strings and numbers in a value, in their JSON form. */
export function leaves(value: JsonValue): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
