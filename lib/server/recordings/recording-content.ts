import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
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
  for (let place = Math.max(0, from - prefix.length); ; ) {
    for await (const chunk of createReadStream(file, { start: place })) {
      place += chunk.length;
      yield chunk;
    }
    if (!follow) return;
    for (;;) {
      const { size, mtimeMs } = await stat(file).catch(() => ({ size: -1, mtimeMs: 0 }));
      if (size > place) break;
      // Truncated, removed, or its writer has ended.
      if (size < place || Date.now() - mtimeMs > QUIET_MS) return;
      await sleep(FOLLOW_MS);
    }
  }
}
