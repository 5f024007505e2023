import type { Sighting } from '../../compile/sighting.ts';

const UUID = /^\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?$/;
/** `token_id` is no token. */
const NAMED = /^(?:token|credentials?)["'`\]]{0,2}[ \t]{0,24}(?:[:=]|%3[AD])/i;

/** Whether a value is a UUID that is called a token: there it opens something, elsewhere it only tells things apart. */
export function isNamedUuid(value: string, { match }: Sighting): boolean {
  return UUID.test(value) && NAMED.test(match);
}
