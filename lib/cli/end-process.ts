import { Socket } from 'node:net';

/** How long what a hook or a tool has left open may keep the process, in milliseconds. */
const LINGER_MS = 3_000;
/** How long a reader has for the rest where a signal has ended it all, in milliseconds. */
const READ_MS = 1_000;

/** Ends the process with `code` once all output has been taken, and whatever is still open by then has had a moment to close. */
export async function endProcess(code: number | string, lingerMs = LINGER_MS): Promise<void> {
  process.exitCode = code;
  const streams = [process.stdout, process.stderr];
  const taken = Promise.all(streams.map(flushed));
  const waited = new Promise<false>((resolve) => setTimeout(resolve, READ_MS, false).unref());
  // Codes of signals, at which nobody may be reading any more.
  if (Number(code) > 128 && !(await Promise.race([taken, waited]))) process.exit();
  await taken;
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
