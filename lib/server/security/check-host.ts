import { refuse } from '../refuse.ts';

/**
 * Refuses a request for a host that is not ours (421), port included: a page of a foreign name that was pointed at this address by its DNS
 * (rebinding) says that name here.
 */
export function checkHost(request: Request, allowed: ReadonlySet<string>): void {
  const url = URL.canParse(request.url) ? new URL(request.url).host : '';
  const host = (request.headers.get('host') ?? url).toLowerCase();
  // A request target with a host of its own goes before the header, so both have to be right.
  const same = URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === url;
  if (allowed.has(host) && same) return;
  throw refuse(
    421,
    `The host ${JSON.stringify(host)} is not served here. Name it in the allowed hosts, port included.`,
  );
}
