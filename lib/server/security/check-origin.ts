import { refuse } from '../http/refuse.ts';

/** Rejects requests of pages of another origin (403). The own origin is the host of the request, which was checked before. */
export function checkOrigin({ headers, url }: Request): void {
  const origin = headers.get('origin');
  if (origin === null) return;
  const host = (headers.get('host') ?? new URL(url).host).toLowerCase();
  // Behind a proxy that terminates TLS, the origin has https.
  if (origin === `http://${host}` || origin === `https://${host}`) return;
  throw refuse(403, `The server rejects requests from the origin ${JSON.stringify(origin)}.`);
}

/** Rejects requests that the browser attributes to another site or origin (403), even without `Origin`. */
export function checkFetchSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  throw refuse(403, `The server rejects cross-site requests (Sec-Fetch-Site: ${site}).`);
}
