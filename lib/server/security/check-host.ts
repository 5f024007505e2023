import { refuse } from '../http/refuse.ts';

/**
 * Refuses a request for a host that is not ours (421), port included: a page of a foreign name that was pointed at this address by its DNS
 * (rebinding) says that name here.
 */
export function checkHost({ url, headers }: Request, allowed: ReadonlySet<string>): void {
  const host = (headers.get('host') ?? (URL.canParse(url) ? new URL(url).host : '')).toLowerCase();
  if (allowed.has(host) && isIn(url, host)) return;
  throw refuse(
    421,
    `The host ${JSON.stringify(host)} is not served here. Name it in the allowed hosts, port included.`,
  );
}

/** A request target with a host of its own goes before the header, so both have to be right. */
function isIn(url: string, host: string): boolean {
  // As nearly every request has it; the parser of URLs takes longer than all other rules together.
  if (url.startsWith(`http://${host}/`) && /^[a-z0-9.:-]+$/.test(host)) return true;
  return URL.canParse(`http://${host}`) && URL.canParse(url) && new URL(`http://${host}`).host === new URL(url).host;
}
