import { type RemoteServer, remoteSchema } from '../../adapters/mcp/http/remote-server.ts';
import type { McpProxy } from '../../adapters/mcp/index.ts';
import { onAbort } from '../../agent/on-abort.ts';
import { HooklineError } from '../../errors.ts';

/** Options for the server and its clients. */
export interface EndFlags {
  readonly url?: string;
  readonly listen?: string;
  readonly header: readonly string[];
  readonly allowedHost: readonly string[];
}

/** Connects the server and the client as the options require. */
export function endsOf(
  command: readonly string[],
  { url, listen, header, allowedHost }: EndFlags,
): (proxy: McpProxy, signal: AbortSignal) => Promise<string | undefined> {
  const [wanted] = command;
  if (url !== undefined && wanted !== undefined)
    throw invalid('Pass the URL of a server (--url) or a command that starts one, not both.');
  if (url === undefined) {
    if (wanted === undefined) throw invalid('Pass the command that starts the server, after --, or its URL (--url).');
    const lists = header.length > 0 ? '--header' : allowedHost.length > 0 ? '--allowed-host' : undefined;
    const unsupported = listen !== undefined ? '--listen' : lists;
    if (unsupported === undefined) return overPipes({ command });
    const why = 'A server that a command starts has one client, over stdio';
    throw invalid(
      `${unsupported} requires a server over HTTP (--url). ${why}; to share a server, start it as a server over HTTP.`,
    );
  }
  const server = checked({ url, headers: readHeaders(header, process.env) });
  if (listen === undefined) {
    if (allowedHost.length > 0)
      throw invalid('--allowed-host requires --listen: a client over stdio sends no Host header.');
    return overPipes(server);
  }
  const at = readAddress(listen);
  return async (proxy, signal) => {
    const listening = await proxy.listen(server, { ...at, allowedHosts: allowedHost });
    process.stderr.write(`listening: ${listening.url}\n`);
    await new Promise<void>((resolve) => void onAbort(signal, resolve));
    await listening.close();
    return undefined;
  };
}

/** A client that keeps its end open after a signal would keep the process alive. */
function overPipes(server: Parameters<McpProxy['stdio']>[0]): ReturnType<typeof endsOf> {
  return (proxy, signal) => proxy.stdio(server, {}, signal).finally(() => process.stdin.destroy());
}

/** Reports issues by option. A URL that may contain a password and values of headers are not shown. */
function checked(server: RemoteServer): RemoteServer {
  const { success, error } = remoteSchema.safeParse(server);
  if (success) return server;
  const problems = error.issues.map(({ path: [field, name], message }) =>
    field === 'url'
      ? `--url${server.url.includes('@') ? '' : ` ${JSON.stringify(server.url)}`}: ${message}`
      : `--header${name === undefined ? '' : ` ${String(name)}`}: ${message}`,
  );
  throw invalid(`${problems.join('; ')}.`);
}

/** Parses headers `Name: value`. `${NAME}` in a value is an environment variable. A missing variable is `INPUT_INVALID`. */
function readHeaders(texts: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        // The invalid value may be a secret, so it is not shown.
        throw invalid('--header must have the form "Name: value".');
      const filled = value.replace(/\$\{([^}]*)\}/g, (_, variable: string) => {
        const found = env[variable];
        if (found !== undefined && found !== '') return found;
        throw invalid(
          `--header ${name}: the environment has no variable ${variable}. Set it, or remove it from the header.`,
        );
      });
      return [name, filled];
    }),
  );
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:(\[[^\]]+\]|[^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw invalid(`--listen ${JSON.stringify(text)} is not an address: use host:port, such as 127.0.0.1:3900.`);
  return { host: (host ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port: Number(port) };
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookline mcp: ${why}`);
}
