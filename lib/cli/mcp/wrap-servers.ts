/** A server with a changed command line. */
export interface WrappedServer {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Changed settings of a client. */
export interface WrappedSettings {
  readonly text: string;
  readonly changes: readonly WrappedServer[];
  /** Unchanged servers, with the reason. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/** Options for wrapping the servers of a file. */
export interface Wrapping {
  /** Name of the file in issues. */
  readonly file: string;
  /** The command line of the proxy, with its options, up to `--`. */
  readonly proxy: readonly string[];
  /** Removes the proxy, however its command line is written. */
  readonly unwrap: boolean;
}

/** Returns the changed command lines of servers. */
export function wrapServers(servers: object, { proxy, unwrap }: Wrapping): Pick<WrappedSettings, 'changes' | 'left'> {
  const changes: WrappedServer[] = [];
  const left: { name: string; why: string }[] = [];
  for (const [name, server] of Object.entries(servers)) {
    const before = commandLine(server);
    const wrapped = before && ownEnd(before, proxy);
    if (!before) left.push({ name, why: whyWithout(server) });
    else if (unwrap && !wrapped) left.push({ name, why: 'it is not wrapped' });
    else if (!unwrap && wrapped) left.push({ name, why: 'it is already wrapped' });
    else changes.push({ name, before, after: wrapped ? before.slice(wrapped + 1) : [...proxy, '--', ...before] });
  }
  return { changes, left };
}

function whyWithout(server: unknown): string {
  const remote = typeof server === 'object' && server !== null && ('url' in server || 'httpUrl' in server);
  return remote
    ? 'it has no command; for a server over HTTP, see hookline mcp --url'
    : 'it has neither a command nor a url';
}

/** Matches the command by name (`npx hookline`, `/usr/bin/hookline`) or the script of an installation. */
const OWN = /(^|[\\/])hookline(@[^\\/]*|\.cmd|[\\/](dist|lib)[\\/]cli[\\/]main\.[jt]s)?$/;

/** Returns the index where the proxy's part of a command line ends, if it has one. */
function ownEnd(words: readonly string[], proxy: readonly string[]): number | undefined {
  const start = proxy[proxy.indexOf('mcp') - 1];
  const at = words.findIndex((word, index) => {
    const before = words[index - 1];
    return word === 'mcp' && before !== undefined && (before === start || OWN.test(before));
  });
  const end = at < 0 ? -1 : words.indexOf('--', at);
  return end < 0 || end + 1 >= words.length ? undefined : end;
}

/** Returns the command with its arguments, if there is a command. */
export function commandLine(server: unknown): readonly string[] | undefined {
  const { command, args = [] } = (server ?? {}) as { command?: unknown; args?: unknown };
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  return [command, ...args.map(String)];
}

/** Returns the offset of the next list item, including its line break. */
export function behindComma(text: string, at: number): number {
  return at + (/^\s*, ?/.exec(text.slice(at))?.[0].length ?? 0);
}
