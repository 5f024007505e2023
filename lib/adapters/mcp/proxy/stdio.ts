import { onAbort } from '../../../agent/on-abort.ts';
import { howEnded } from '../../../processes/how-ended.ts';
import { spawnGroup } from '../../../processes/spawn-group.ts';
import { type ClientPipes, GRACE_MS, read, write } from './pipes.ts';
import type { Ends, McpSession } from './session-options.ts';

/** The program of a server. */
export interface ServerProgram {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

const LINGER_MS = 250;
/**
 * How long a server may take to end after SIGTERM. Clients kill the proxy two seconds after their own SIGTERM, which would leave the server running.
 */
const STOP_MS = 1_000;

/**
 * Starts a server and connects a client over stdio to it, through `session`. A side that does not read is not read from. Resolves when the client
 * has disconnected, `signal` aborts or the server has ended. If the server ended, it resolves with the reason. Otherwise, it ends the server first.
 */
export async function tieStdio(
  program: ServerProgram,
  { input, output, errors }: ClientPipes,
  session: (ends: Ends) => McpSession,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { command, cwd, env = process.env } = program;
  const group = spawnGroup(command, { ...(cwd !== undefined && { cwd }), env, input: true });
  const [stdout, stderr] = group.outputs;
  const server = group.input;
  let issue: string | undefined;
  let closed = false;
  const toClient = (text: string): void => void (closed || write(output, text, stdout, input));
  const hooked = session({
    answer: toClient,
    dropped: () => {},
    toClient,
    toServer: (text) => void (server && write(server, text, input)),
  });

  const overlong =
    (what: string) =>
    (limit: number): void => {
      issue ??= `the ${what} sent a message of more than ${limit} characters`;
      over();
    };
  let over = (): void => {};
  const aborted = new Promise<void>((resolve) => void onAbort(signal, resolve));
  const clientGone = new Promise<void>((resolve) => {
    over = resolve;
    read(input, (line) => !closed && hooked.fromClient(line), overlong('client')).then(resolve);
    output.on('error', () => resolve());
    output.once('close', resolve);
    aborted.then(resolve);
  });
  server?.on('error', () => {});
  const outputRead = read(stdout, (line) => hooked.fromServer(line), overlong('server'));
  void read(stderr, errors, () => errors('(a line that is too long is omitted)'));
  // After a server exits, its last output is still in the pipe. A server that closes its output is about to exit.
  const exited = group.exited.then((exit) => howEnded(exit, cwd));
  const serverGone = Promise.race([
    group.exited.then(() => Promise.race([outputRead, after(LINGER_MS)])),
    outputRead.then(() => Promise.race([group.exited, after(LINGER_MS)])),
  ]).then(() => Promise.race([exited, after(0).then(() => 'closed its output')]));

  const how = await Promise.race([serverGone, clientGone]);
  // Pending calls may complete, as they would without a proxy.
  if (typeof how !== 'string' && issue === undefined && !signal.aborted) {
    await Promise.race([hooked.idle(), serverGone, aborted, after(GRACE_MS)]);
    server?.end();
    await Promise.race([serverGone, aborted, after(GRACE_MS)]);
  }
  const why = issue ?? (typeof how === 'string' ? `The MCP server ${how}.` : undefined);
  const stopped = group.stop(STOP_MS);
  await Promise.race([hooked.serverGone(why ?? 'The client disconnected.'), aborted, after(GRACE_MS)]);
  await hooked.end();
  closed = true;
  for (const stream of group.outputs) stream.destroy();
  await stopped;
  return why;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
