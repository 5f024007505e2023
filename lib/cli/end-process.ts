import { Socket } from 'node:net';

/** How long open handles of a hook or tool may keep the process alive, in milliseconds. */
const LINGER_MS = 3_000;
/** How long a reader may take to read the remaining output after a signal, in milliseconds. */
const READ_MS = 1_000;

/** Exits with `code` after all output has been read. Open handles have a short time to close. */
export async function endProcess(code: number | string, lingerMs = LINGER_MS): Promise<void> {
  process.exitCode = code;
  const streams = [process.stdout, process.stderr];
  const taken = Promise.all(streams.map(flushed));
  const waited = new Promise<false>((resolve) => setTimeout(resolve, READ_MS, false).unref());
  // Exit codes of signals. The reader may be gone.
  if (Number(code) > 128 && !(await Promise.race([taken, waited]))) process.exit();
  await taken;
  // Pipes and terminals only, because writing to a file leaves no handle open.
  const own = streams.filter((stream) => stream instanceof Socket);
  // If nothing else is open, waiting would only cost a garbage collection.
  if (process.getActiveResourcesInfo().length <= own.length) process.exit();
  setTimeout(() => process.exit(), lingerMs).unref();
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  // The callback is always called, with an error if the reader is gone.
  return new Promise((resolve) => stream.write('', () => resolve()));
}
