import { refuse } from '../http/refuse.ts';

/** Maximum size of a body, in bytes. */
export const MOST_BYTES = 64 * 1024;

/** The largest limit of a route, in bytes. */
const LARGEST = 16 * 2 ** 20;

/** Rejects a body whose Content-Length exceeds the limit (413), before it is read. */
export function checkLength({ headers }: Request, most = LARGEST): void {
  if (Number(headers.get('content-length') ?? 0) > most) throw tooLarge(most);
}

/** Reads a body up to the limit and does not wait for more (413). An incomplete body is rejected, too (400). */
export async function readLimited(request: Request, most = MOST_BYTES): Promise<Uint8Array> {
  checkLength(request, most);
  const { body } = request;
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw refuse(400, 'The request body is incomplete.');
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
  // Closes the connection, because the rest of the body is not read.
  return refuse(413, `The request body is larger than ${most} bytes. Send a smaller one.`, { connection: 'close' });
}
