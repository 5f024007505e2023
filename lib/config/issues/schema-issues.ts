import type { z } from 'zod';
import { nearestName, nearestOrAll } from '../../errors/nearest-name.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { ConfigPath, Source } from '../source/source.ts';
import { type ConfigIssue, issueAt, MAX_ISSUES } from './config-issue.ts';
import { holdsMark, isMarked, namesAt } from './schema-at.ts';

/** A validation error without a location. */
export interface SchemaIssue {
  readonly path: ConfigPath;
  readonly part: 'key' | 'value';
  readonly message: string;
}

/** Returns the validation errors of a value. `toSource` maps their paths to the source. */
export function schemaIssues(
  source: Source,
  schema: z.ZodType,
  value: unknown,
  toSource: (path: ConfigPath) => ConfigPath = (path) => path,
): readonly ConfigIssue[] {
  return findSchemaIssues(schema, value).map(({ path, part, message }) =>
    issueAt(source, toSource(path), message, part),
  );
}

/** Returns the validation errors without locations. Messages quote `written`, the value before substitution. */
export function findSchemaIssues(schema: z.ZodType, value: unknown, written = value): readonly SchemaIssue[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  let reported = 0;
  return parsed.error.issues.flatMap((issue) => flatten(issue, []));

  function flatten(issue: z.core.$ZodIssue, around: ConfigPath): SchemaIssue[] {
    const path = [...around, ...issue.path];
    if (issue.code === 'invalid_key') return [{ path, part: 'key', message: issue.message }];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key));
    const nearer = issue.code === 'invalid_union' ? bestBranch(issue.errors) : undefined;
    if (nearer) return nearer.flatMap((inner) => flatten(inner, path));
    const seen = valueAt(value, path);
    const words = wordsOf(issue, seen);
    reported += 1;
    // Issues past the limit are not shown, so they skip the slow search for secrets.
    if (reported > MAX_ISSUES) return [{ path, part: 'value', message: `${words}.` }];
    // A complete sentence already includes the value.
    if (/[.?]$/.test(words)) return [{ path, part: 'value', message: words }];
    const shown =
      isMarked(schema, path, 'secret') || holdsMark(schema, path, 'secret')
        ? 'a hidden value'
        : showValue(valueAt(written, path), path.at(-1));
    const message = seen === undefined ? `is missing: ${words}.` : `${words}, got ${shown}.${hint(issue, seen)}`;
    return [{ path, part: 'value', message }];
  }

  function unknownKey(path: ConfigPath, key: string): SchemaIssue {
    reported += 1;
    if (reported > MAX_ISSUES) return { path: [...path, key], part: 'key', message: 'unknown key.' };
    const known = namesAt(schema, path);
    const help = nearestOrAll(key, known);
    return { path: [...path, key], part: 'key', message: `unknown key. ${help}` };
  }
}

/** Returns the closest branch of a union: `type` selects it, and its issue is the deepest. `undefined` if all branches fail at the top. */
function bestBranch(errors: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const possible = errors.filter((issues) => issues.length > 0);
  const chosen = possible.filter((issues) => !issues.some(({ path }) => path.length === 1 && path[0] === 'type'));
  const [best] = (chosen.length > 0 ? chosen : possible.toReversed()).toSorted((a, b) => depthOf(b) - depthOf(a));
  return best && depthOf(best) > 0 ? best : undefined;
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  const depths = issues.map((issue) => {
    const inner = issue.code === 'invalid_union' ? Math.max(0, ...issue.errors.map(depthOf)) : 0;
    return issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : inner);
  });
  return Math.max(0, ...depths);
}

function wordsOf(issue: z.core.$ZodIssue, seen: unknown): string {
  const message = issue.message
    .replace(/^Invalid (input|option): /, '')
    .replace(/^Invalid discriminator value. E/, 'e')
    .replace(/, received .*$/, '');
  if (issue.code === 'invalid_union' && /^Invalid input$/.test(message)) return `expected ${unionWords(issue.errors)}`;
  return seen === undefined ? message.replace(/^expected (nonoptional|.*)$/, 'expected $1') : message;
}

function unionWords(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const words = errors.flatMap((issues) => issues.map((issue) => wordsOf(issue, null).replace(/^expected /, '')));
  return [...new Set(words)].join(' or ');
}

function hint(issue: z.core.$ZodIssue, seen: unknown): string {
  if (typeof seen !== 'string') return '';
  const near = nearestName(seen, valuesOf(issue));
  return near ? ` Did you mean "${near}"?` : '';
}

/** Returns the allowed values of all union members. */
function valuesOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(valuesOf);
  return issue.code === 'invalid_value' ? issue.values.map(String) : [];
}

function valueAt(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((holder, name) => (holder as Record<PropertyKey, unknown> | undefined)?.[name], value);
}

const MOST = 60;

/** Formats a value for a message: short, and without secrets that are recognizable by their format or by the name of their key. */
function showValue(value: unknown, key: PropertyKey = ''): string {
  if (Array.isArray(value)) return 'a list';
  // A nested value might be a secret that is recognizable only in its place.
  if (typeof value === 'object' && value !== null) return 'an object';
  const json = JSON.stringify(value) ?? String(value);
  const before = `${JSON.stringify(String(key))}: `;
  const { text } = usualRedactor().redact(before + json.slice(0, 20 * MOST));
  const shown = text.startsWith(before) ? text.slice(before.length) : text;
  return shown.length > MOST ? `${shown.slice(0, MOST)}…` : shown;
}
