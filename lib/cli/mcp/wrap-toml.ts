import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { configError } from '../../config/issues/config-issue.ts';
import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import { behindComma, type WrappedServer, type WrappedSettings, type Wrapping, wrapServers } from './wrap-servers.ts';

const BOM = '\ufeff';
const TABLE = 'mcp_servers';

/**
 * Does the same as `wrapSettings` for the TOML of Codex. It edits only the values of `command =` and `args =`. A server that is not written as a
 * table `[mcp_servers.name]` is left unchanged. The issues are the same.
 */
export function wrapToml(text: string, wrapping: Wrapping): WrappedSettings {
  const { file } = wrapping;
  const mark = text.startsWith(BOM) ? BOM : '';
  let changed = text.slice(mark.length);
  const servers = read(file, changed)[TABLE];
  if (!isObject(servers)) throw new HooklineError('INPUT_INVALID', `${file} has no servers: no table ${TABLE}.`);
  const { changes, left } = wrapServers(servers, wrapping);
  const others = [...left];
  const done: WrappedServer[] = [];
  for (const change of changes) {
    const next = replaced(changed, change);
    if (next === undefined)
      others.push({
        name: change.name,
        why: `it is not a table [${TABLE}.${change.name}]; change it by hand`,
      });
    else {
      changed = next;
      done.push(change);
    }
  }
  return { text: `${mark}${changed}`, changes: done, left: others };
}

/** Returns `undefined` if the text is not understood. The result must parse to the same value, except for this one command line. */
function replaced(text: string, { name, before, after }: WrappedServer): string | undefined {
  const [command, ...args] = after;
  const table = tableOf(text, name);
  const at = table && assignedTo(text, table, 'command');
  if (!table || !at) return undefined;
  const old = assignedTo(text, table, 'args');
  const edits = [
    { ...at, put: JSON.stringify(command) },
    old ? editOfList(text, old, before, after) : lineOfArgs(text, at.lineEnd, args),
  ].sort((a, b) => b.start - a.start);
  const next = edits.reduce((now, { start, end, put }) => now.slice(0, start) + put + now.slice(end), text);
  const wanted = parse(text, NUMBERS);
  Object.assign((wanted[TABLE] as Record<string, object>)[name] as object, { command, args });
  try {
    return isDeepStrictEqual(plain(parse(next, NUMBERS)), plain(wanted)) ? next : undefined;
  } catch {
    return undefined;
  }
}

/** Other values are irrelevant here, however large they are. */
const NUMBERS = { integersAsBigInt: 'asNeeded' } as const;

function lineOfArgs(text: string, at: number, args: readonly string[]): Span & { readonly put: string } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { start: at, end: at, put: `${eol}args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]` };
}

/** Inserts or removes arguments at the beginning. Everything after them, including comments, is kept. */
function editOfList(
  text: string,
  { start, end }: Span,
  before: readonly string[],
  after: readonly string[],
): Span & { readonly put: string } {
  const added = after.slice(1, 1 + Math.max(0, after.length - before.length)).map((word) => JSON.stringify(word));
  const items = [...text.slice(start, end).matchAll(/#[^\n]*|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g)]
    .filter(([token]) => !token.startsWith('#'))
    .map(({ 0: token, index }) => ({ start: start + index, end: start + index + token.length }));
  if (added.length > 0)
    return { start: start + 1, end: start + 1, put: `${added.join(', ')}${items.length > 0 ? ', ' : ''}` };
  const [first, last] = [items[0], items[before.length - after.length - 1]];
  return { start: first?.start ?? start, end: behindComma(text, last?.end ?? start), put: '' };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the text below the header of a server's table, up to the next header. */
function tableOf(text: string, name: string): Span | undefined {
  const names = [name, JSON.stringify(name), `'${name}'`].map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${TABLE}[ \\t]*\\.[ \\t]*(?:${names.join('|')})[ \\t]*\\][^\\n]*$`, 'm');
  const found = header.exec(text);
  if (!found) return undefined;
  const start = found.index + found[0].length;
  const next = /^[ \t]*\[/m.exec(text.slice(start));
  return { start, end: next ? start + next.index : text.length };
}

/** Finds the value of a key: a string on one line, or a list of strings. */
function assignedTo(
  text: string,
  { start, end }: Span,
  key: string,
): (Span & { readonly lineEnd: number }) | undefined {
  const string = `"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'`;
  const space = '(?:\\s|#[^\\n]*\\n)*';
  const list = `\\[${space}(?:(?:${string})${space}(?:,${space}|(?=\\])))*\\]`;
  const found = new RegExp(`^([ \\t]*${key}[ \\t]*=[ \\t]*)(${string}|${list})([^\\n\\r]*)`, 'm').exec(
    text.slice(start, end),
  );
  if (!found) return undefined;
  const [, before = '', value = '', rest = ''] = found;
  const from = start + found.index + before.length;
  return { start: from, end: from + value.length, lineEnd: from + value.length + rest.length };
}

function read(file: string, text: string): Record<string, unknown> {
  try {
    return parse(text, NUMBERS);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    // The other lines quote the surrounding text, which may contain a secret.
    const [why = ''] = thrown.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw configError([{ file, line: thrown.line, column: thrown.column, path: [], message: `invalid TOML: ${why}` }]);
  }
}

/** Removes the prototypes of the parser. Dates become text. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)));
}
