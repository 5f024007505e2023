import { Socket } from 'node:net';

/** How long what a hook or a tool has left open may keep the process, in milliseconds. */
const LINGER_MS = 3_000;

/** Ends the process with `code` once all output has been taken, and whatever is still open by then has had a moment to close. */
export async function endProcess(code: number | string, lingerMs = LINGER_MS): Promise<void> {
  process.exitCode = code;
  const streams = [process.stdout, process.stderr];
  await Promise.all(streams.map(flushed));
  // Pipes and terminals; what is written to a file leaves nothing open.
  const own = streams.filter((stream) => stream instanceof Socket);
  // With nothing else open, all that would come is a collection of garbage.
  if (process.getActiveResourcesInfo().length <= own.length) process.exit();
  setTimeout(() => process.exit(), lingerMs).unref();
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  // The callback comes in any case, with an error when nobody reads any more.
  return new Promise((resolve) => stream.write('', () => resolve()));
}
