import type { IncomingMessage } from 'node:http';

/** Why a request is not taken: what a page of another site could send, and what was sent to a name that is not ours. */
export function faultOfRequest({ headers, method }: IncomingMessage, hosts: ReadonlySet<string>): Fault | undefined {
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.has(host))
    return { status: 421, why: `The host ${JSON.stringify(host)} is not served here; see --allowed-host.` };
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return { status: 403, why: `Requests of the origin ${JSON.stringify(origin)} are not taken here.` };
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, why: 'Requests that another site asks for are not taken here.' };
  if (method !== 'POST') return undefined;
  if (!/^\s*application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? ''))
    return { status: 415, why: 'Send application/json.' };
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, why: 'Send the body as it is, not compressed.' };
  const { accept = '' } = headers;
  const takes = (type: string): boolean => accept.includes(type) || accept.includes('*/*');
  if (!takes('application/json') || !takes('text/event-stream'))
    return { status: 406, why: 'Accept both application/json and text/event-stream.' };
  return undefined;
}

/** An answer of HTTP that says what is wrong. */
export interface Fault {
  readonly status: number;
  readonly why: string;
}

/** Bytes of a body, at most. */
const MOST_BYTES = 4 * 1_024 * 1_024;

/** Reads a body in UTF-8, up to the limit. */
export async function readBody(request: IncomingMessage): Promise<string | Fault> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const bytes of request) {
      length += bytes.length;
      if (length > MOST_BYTES) return { status: 413, why: `A message may have ${MOST_BYTES} bytes at most.` };
      pieces.push(bytes);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    return { status: 400, why: 'The body broke off, or is not UTF-8.' };
  }
}
