import type { Readable } from 'node:stream';

/** As much as the largest file that a tool writes; what is larger cannot be judged. */
const MOST_BYTES = 64 * 1024 * 1024;

/** All of an event that a host sends; whoever has sent it can be answered then. Rejects where it is too large, or no UTF-8. */
export async function readEvent(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`the event is larger than ${MOST_BYTES} bytes.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    // Another text would be judged than the one that the host has.
    throw new Error('the event is not valid UTF-8.');
  }
}
