import type { IncomingMessage } from 'node:http';

/** Returns why a request is rejected. Rejected are requests that another site's page could send, and unknown Host values. */
export function checkRequest({ headers, method }: IncomingMessage, hosts: ReadonlySet<string>): Rejection | undefined {
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.has(host))
    return {
      status: 421,
      why: `The proxy does not accept the host ${JSON.stringify(host)}. Add it with --allowed-host.`,
    };
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return { status: 403, why: `The proxy rejects requests from the origin ${JSON.stringify(origin)}.` };
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, why: 'The proxy rejects cross-site requests.' };
  if (method !== 'POST') return undefined;
  if (!/^\s*application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? ''))
    return { status: 415, why: 'Send application/json.' };
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, why: 'Send the body uncompressed.' };
  const { accept = '' } = headers;
  const takes = (type: string): boolean => accept.includes(type) || accept.includes('*/*');
  if (!takes('application/json') || !takes('text/event-stream'))
    return { status: 406, why: 'Accept both application/json and text/event-stream.' };
  return undefined;
}

/** An HTTP error response. */
export interface Rejection {
  readonly status: number;
  readonly why: string;
}

/** The maximum size of a body, in bytes. */
const MOST_BYTES = 4 * 1_024 * 1_024;

/** Reads a UTF-8 body, up to the limit. */
export async function readBody(request: IncomingMessage): Promise<string | Rejection> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const bytes of request) {
      length += bytes.length;
      if (length > MOST_BYTES)
        return { status: 413, why: `The message is larger than ${MOST_BYTES} bytes. Send a smaller one.` };
      pieces.push(bytes);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    return { status: 400, why: 'The request body is incomplete, or is not UTF-8.' };
  }
}
