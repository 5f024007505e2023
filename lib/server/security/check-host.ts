import { refuse } from '../http/refuse.ts';

/**
 * Rejects a request with another Host header (421), port included. A page whose name resolves to this address
 * (DNS rebinding) sends its own name.
 */
export function checkHost({ url, headers }: Request, allowed: ReadonlySet<string>): void {
  const host = (headers.get('host') ?? (URL.canParse(url) ? new URL(url).host : '')).toLowerCase();
  if (allowed.has(host) && isIn(url, host)) return;
  throw refuse(
    421,
    `The server does not accept the host ${JSON.stringify(host)}. Add it to the allowed hosts, port included.`,
  );
}

/** An absolute request target overrides the header, so both must be allowed. */
function isIn(url: string, host: string): boolean {
  // The form of nearly every request. The URL parser takes longer than all other rules together.
  if (url.startsWith(`http://${host}/`) && /^[a-z0-9.:-]+$/.test(host)) return true;
  return URL.canParse(`http://${host}`) && URL.canParse(url) && new URL(`http://${host}`).host === new URL(url).host;
}
