import { applyEdits, modify } from 'jsonc-parser';
import { type ConfigFault, configError } from '../../config/faults/fault.ts';
import { jsonSource } from '../../config/source/json-source.ts';
import { HooklineError } from '../../errors.ts';
import { isObject, type WrappedServer, type WrappedSettings, type Wrapping, wrapServers } from './wrap-servers.ts';

/** Where clients keep their servers: Claude and Cursor, VS Code, VS Code within its other settings. */
const PLACES: readonly (readonly string[])[] = [['mcpServers'], ['servers'], ['mcp', 'servers']];

/**
 * Puts the proxy before the command of each server, or takes it away. `text` is JSON with comments, which stay, as does the order. Settings
 * that cannot be read are `CONFIG_INVALID`, those without servers `INPUT_INVALID`.
 */
export function wrapSettings(text: string, wrapping: Wrapping): WrappedSettings {
  const { file } = wrapping;
  const faults: ConfigFault[] = [];
  const { value: settings } = jsonSource(file, text, faults);
  if (faults.length > 0) throw configError(faults);
  const places = placesIn(settings);
  if (places.length === 0)
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} has no servers: neither "mcpServers" nor "servers", nor projects with some.`,
    );
  const changes: WrappedServer[] = [];
  const left: { name: string; why: string }[] = [];
  let changed = text;
  for (const place of places) {
    const planned = wrapServers(memberAt(settings, place) as object, wrapping);
    const called = (name: string): string => (place[0] === 'projects' ? `${name} (${place[1]})` : name);
    for (const change of planned.changes) {
      const [command, ...args] = change.after;
      changed = put(put(changed, [...place, change.name, 'command'], command), [...place, change.name, 'args'], args);
      changes.push({ ...change, name: called(change.name) });
    }
    left.push(...planned.left.map(({ name, why }) => ({ name: called(name), why })));
  }
  return { text: changed, changes, left };
}

/** All places that have servers; Claude Code keeps some for each project. */
function placesIn(settings: unknown): readonly (readonly string[])[] {
  const has = (place: readonly string[]): boolean => isObject(memberAt(settings, place));
  const projects = memberAt(settings, ['projects']);
  const theirs = isObject(projects) ? Object.keys(projects).map((name) => ['projects', name, 'mcpServers']) : [];
  return [...PLACES.filter(has).slice(0, 1), ...theirs.filter(has)];
}

function put(text: string, path: string[], value: unknown): string {
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2 };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, key) =>
      isObject(inner) && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
}
