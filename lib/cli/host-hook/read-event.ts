import type { Readable } from 'node:stream';

/** The size of the largest file that a tool writes. Larger events cannot be evaluated. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a whole event, so that its sender can be answered. Rejects if it is too large or not UTF-8. */
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
    // Otherwise hooks would evaluate another text than the host has.
    throw new Error('the event is not valid UTF-8.');
  }
}
