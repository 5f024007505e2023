import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval at which a growing file is read, in milliseconds. */
const FOLLOW_MS = 250;
/** Time after the last change at which a file counts as complete, in milliseconds. */
const QUIET_MS = 60_000;

/** Reads a file after `prefix` from a byte position of both. With `follow`, continues while the file grows. */
export function recordingContent(
  file: string,
  prefix: Uint8Array,
  from: number,
  follow: boolean,
): ReadableStream<Uint8Array> {
  const bytes = Readable.from(contentOf(file, prefix, from, follow), { objectMode: false });
  return Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
}

async function* contentOf(file: string, prefix: Uint8Array, from: number, follow: boolean): AsyncGenerator<Uint8Array> {
  if (from < prefix.length) yield prefix.subarray(from);
  // A file that takes its place is another recording.
  const handle = await open(file);
  try {
    for (let place = Math.max(0, from - prefix.length); ; ) {
      for await (const chunk of handle.createReadStream({ start: place, autoClose: false })) {
        place += chunk.length;
        yield chunk;
      }
      if (!follow) return;
      for (;;) {
        const { size, mtimeMs, nlink } = await handle.stat();
        if (size > place) break;
        // Truncated, removed, replaced, or its writer has ended.
        if (size < place || nlink === 0 || Date.now() - mtimeMs > QUIET_MS) return;
        await sleep(FOLLOW_MS);
      }
    }
  } finally {
    await handle.close();
  }
}
