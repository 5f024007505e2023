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

/** What is done to the servers of a file. */
export interface Wrapping {
  /** As issues name it. */
  readonly file: string;
  /** What starts the proxy, with its options, up to `--`. */
  readonly proxy: readonly string[];
  /** It is taken away again, however it is written there. */
  readonly unwrap: boolean;
}

/** What becomes of the command lines of servers. */
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

/** The command by its name (`npx hookline`, `/usr/bin/hookline`), or the script of an installation. */
const OWN = /(^|[\\/])hookline(@[^\\/]*|\.cmd|[\\/](dist|lib)[\\/]cli[\\/]main\.[jt]s)?$/;

/** Where the proxy's own part of a command line ends, if it has one. */
function ownEnd(words: readonly string[], proxy: readonly string[]): number | undefined {
  const start = proxy[proxy.indexOf('mcp') - 1];
  const at = words.findIndex((word, index) => {
    const before = words[index - 1];
    return word === 'mcp' && before !== undefined && (before === start || OWN.test(before));
  });
  const end = at < 0 ? -1 : words.indexOf('--', at);
  return end < 0 || end + 1 >= words.length ? undefined : end;
}

/** The command and its arguments, if it has some. */
export function commandLine(server: unknown): readonly string[] | undefined {
  const { command, args = [] } = (server ?? {}) as { command?: unknown; args?: unknown };
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  return [command, ...args.map(String)];
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where the next item of a list begins, with the line that it stands on. */
export function behindComma(text: string, at: number): number {
  return at + (/^\s*, ?/.exec(text.slice(at))?.[0].length ?? 0);
}
