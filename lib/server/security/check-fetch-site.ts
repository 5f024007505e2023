import { refuse } from '../http/refuse.ts';

/** Refuses what a browser says that another site, or another origin of this one, has asked it to send (403), without `Origin` too. */
export function checkFetchSite({ headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  throw refuse(403, `Requests that another site asks for (Sec-Fetch-Site: ${site}) are not taken here.`);
}
