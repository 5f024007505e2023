/** How long what a hook or a tool has left open may keep the process, in milliseconds. */
const LINGER_MS = 3_000;

/** Ends the process with `code` once all output has been taken, and whatever is still open by then has had a moment to close. */
export async function endProcess(code: number | string): Promise<void> {
  process.exitCode = code;
  await Promise.all([process.stdout, process.stderr].map(flushed));
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  // The callback comes in any case, with an error when nobody reads any more.
  return new Promise((resolve) => stream.write('', () => resolve()));
}
