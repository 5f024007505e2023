import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { HooklineError } from '../../errors.ts';

/** A server whose command line is another one. */
export interface WrappedServer {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What becomes of a client's settings. */
export interface WrappedSettings {
  readonly text: string;
  readonly changes: readonly WrappedServer[];
  /** Servers that stay as they are, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/** Where clients keep their servers: Claude and Cursor, VS Code, VS Code within its other settings. */
const PLACES: readonly (readonly string[])[] = [['mcpServers'], ['servers'], ['mcp', 'servers']];

/**
 * Puts the proxy, with `flags`, before the command of each server, or with `unwrap` takes it away. `text` is JSON with comments, which stay, as
 * does the order. Settings that cannot be read, or have no servers, are `INPUT_INVALID`.
 */
export function wrapSettings(text: string, flags: readonly string[], unwrap: boolean): WrappedSettings {
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  const [fault] = errors;
  if (fault) throw invalid(`are no JSON: ${printParseErrorCode(fault.error)} at character ${fault.offset + 1}`);
  const at = PLACES.find((place) => isObject(memberAt(settings, place)));
  if (!at) throw invalid('have no servers: neither "mcpServers" nor "servers"');
  const planned = wrapServers(memberAt(settings, at) as object, flags, unwrap);
  const changed = planned.changes.reduce((now, { name, after: [command, ...args] }) => {
    return put(put(now, [...at, name, 'command'], command), [...at, name, 'args'], args);
  }, text);
  return { text: changed, ...planned };
}

/** What becomes of the command lines of servers. */
export function wrapServers(
  servers: object,
  flags: readonly string[],
  unwrap: boolean,
): Pick<WrappedSettings, 'changes' | 'left'> {
  const changes: WrappedServer[] = [];
  const left: { name: string; why: string }[] = [];
  for (const [name, server] of Object.entries(servers)) {
    const before = commandLine(server);
    const wrapped = before && ownEnd(before);
    if (!before) left.push({ name, why: 'it has no command; of a server over HTTP see hookline mcp --url' });
    else if (unwrap && !wrapped) left.push({ name, why: 'it is not wrapped' });
    else if (!unwrap && wrapped) left.push({ name, why: 'it is wrapped already' });
    else {
      const after = wrapped ? before.slice(wrapped + 1) : ['npx', '-y', 'hookline', 'mcp', ...flags, '--', ...before];
      changes.push({ name, before, after });
    }
  }
  return { changes, left };
}

function put(text: string, path: string[], value: unknown): string {
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2 };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

/** Where the proxy's own part of a command line ends, if it has one. */
function ownEnd(words: readonly string[]): number | undefined {
  const at = words.findIndex(
    (word, index) => word === 'mcp' && /(^|[\\/])hookline(@.*)?$/.test(words[index - 1] ?? ''),
  );
  const end = at < 0 ? -1 : words.indexOf('--', at);
  return end < 0 || end + 1 >= words.length ? undefined : end;
}

function commandLine(server: unknown): readonly string[] | undefined {
  const { command, args = [] } = (server ?? {}) as { command?: unknown; args?: unknown };
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  return [command, ...args.map(String)];
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, key) => (isObject(inner) ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `The settings ${why}.`);
}
