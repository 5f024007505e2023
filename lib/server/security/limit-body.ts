import { refuse } from '../http/refuse.ts';

/** Bytes of a body, at most. */
export const MOST_BYTES = 64 * 1024;

/** Refuses a body that says itself that it is too large (413), before any of it is read. */
export function checkLength({ headers }: Request): void {
  if (Number(headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge(MOST_BYTES);
}

/** Reads a body up to the limit; behind it no byte is waited for (413). One that breaks off is refused too (400). */
export async function readLimited({ body }: Request, most = MOST_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw refuse(400, 'The body broke off.');
    });
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    length += value.length;
    if (length <= most) continue;
    void reader.cancel().catch(() => {});
    throw tooLarge(most);
  }
}

function tooLarge(most: number): Error {
  // The rest of it is not wanted on this connection.
  return refuse(413, `A body may have ${most} bytes at most.`, { connection: 'close' });
}
