import { refuse } from '../http/refuse.ts';

/** Refuses what a page of another origin sends (403). Our own is the host of the request, which was checked before. */
export function checkOrigin({ headers, url }: Request): void {
  const origin = headers.get('origin');
  if (origin === null) return;
  const host = (headers.get('host') ?? new URL(url).host).toLowerCase();
  // Behind a proxy that ends TLS the page came by https.
  if (origin === `http://${host}` || origin === `https://${host}`) return;
  throw refuse(403, `Requests of the origin ${JSON.stringify(origin)} are not taken here.`);
}

/** Refuses what a browser says that another site, or another origin of this one, has asked it to send (403), without `Origin` too. */
export function checkFetchSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  throw refuse(403, `Requests that another site asks for (Sec-Fetch-Site: ${site}) are not taken here.`);
}
