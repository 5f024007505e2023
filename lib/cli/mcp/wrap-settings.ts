import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { type ConfigIssue, configError } from '../../config/issues/config-issue.ts';
import { jsonSource } from '../../config/source/json-source.ts';
import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import {
  behindComma,
  commandLine,
  type WrappedServer,
  type WrappedSettings,
  type Wrapping,
  wrapServers,
} from './wrap-servers.ts';

const BOM = '\ufeff';
/** Keys of servers in settings: Claude and Cursor, VS Code, VS Code within its other settings. */
const PLACES: readonly (readonly string[])[] = [['mcpServers'], ['servers'], ['mcp', 'servers']];

/**
 * Puts the proxy before the command of each server, or removes it. `text` is JSON with comments. Comments and order are kept. Unreadable settings are
 * `CONFIG_INVALID`, settings without servers `INPUT_INVALID`.
 */
export function wrapSettings(text: string, wrapping: Wrapping): WrappedSettings {
  const { file } = wrapping;
  const issues: ConfigIssue[] = [];
  const mark = text.startsWith(BOM) ? BOM : '';
  let changed = text.slice(mark.length);
  const { value: settings } = jsonSource(file, changed, issues);
  if (issues.length > 0) throw configError(issues);
  const places = placesIn(settings);
  if (places.length === 0)
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} has no servers: neither "mcpServers" nor "servers", nor projects with some.`,
    );
  const changes: WrappedServer[] = [];
  const left: { name: string; why: string }[] = [];
  for (const place of places) {
    const planned = wrapServers(fieldAt(settings, place) as object, wrapping);
    const suffix = place === places[0] ? '' : ` (${place.join('.')})`;
    const called = (name: string): string => `${name}${place[0] === 'projects' ? ` (${place[1]})` : suffix}`;
    for (const change of planned.changes) {
      const path = [...place, change.name];
      const next = replaced(changed, path, change);
      const { value } = jsonSource(file, next, issues);
      if (issues.splice(0).length === 0 && isDeepStrictEqual(commandLine(fieldAt(value, path)), change.after)) {
        changed = next;
        changes.push({ ...change, name: called(change.name) });
      } else left.push({ name: called(change.name), why: 'it has comments between its arguments; change it by hand' });
    }
    left.push(...planned.left.map(({ name, why }) => ({ name: called(name), why })));
  }
  return { text: `${mark}${changed}`, changes, left };
}

/** Returns all places that contain servers. Claude Code has some for each project. */
function placesIn(settings: unknown): readonly (readonly string[])[] {
  const has = (place: readonly string[]): boolean => isObject(fieldAt(settings, place));
  const projects = fieldAt(settings, ['projects']);
  const theirs = isObject(projects) ? Object.keys(projects).map((name) => ['projects', name, 'mcpServers']) : [];
  return [...PLACES.filter(has), ...theirs.filter(has)];
}

/** Edits only the difference: the command, and the first arguments. */
function replaced(text: string, path: string[], { before, after }: WrappedServer): string {
  const at = (name: string): Node | undefined => findNodeAtLocation(parseTree(text) as Node, [...path, name]);
  const [command, args] = [at('command') as Node, at('args')];
  const edits = [{ start: command.offset, end: endOf(command), put: JSON.stringify(after[0]) }];
  const added = after.slice(1, 1 + Math.max(0, after.length - before.length)).map((word) => JSON.stringify(word));
  const items = args?.children ?? [];
  // If the server had no arguments before wrapping, `args` is removed.
  const isOurs =
    args &&
    after.length === 1 &&
    text.slice(endOf(command), args.offset) === ', "args": ' &&
    !/\/[*/]/.test(text.slice(args.offset, endOf(args)));
  if (isOurs) edits.push({ start: endOf(command), end: endOf(args), put: '' });
  else if (!args) edits.push({ start: endOf(command), end: endOf(command), put: `, "args": [${added.join(', ')}]` });
  else if (added.length > 0) {
    const start = args.offset + 1;
    edits.push({ start, end: start, put: `${added.join(', ')}${items.length > 0 ? ', ' : ''}` });
  } else {
    const [first, last] = [items[0], items[before.length - after.length - 1]] as [Node, Node];
    edits.push({ start: first.offset, end: behindComma(text, endOf(last)), put: '' });
  }
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((now, { start, end, put }) => now.slice(0, start) + put + now.slice(end), text);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, key) =>
      isObject(inner) && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
}
