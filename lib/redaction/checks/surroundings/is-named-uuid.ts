import type { Sighting } from '../../compile/sighting.ts';

const UUID = /^\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?$/;
/** `token_id` is not a token. */
const NAMED = /^(?:token|credentials?)["'`\]]{0,2}[ \t]{0,24}(?:[:=]|%3[AD])/i;

/** Returns whether a value is a UUID named as a token. There it grants access; elsewhere it is only an identifier. */
export function isNamedUuid(value: string, { match }: Sighting): boolean {
  return UUID.test(value) && NAMED.test(match);
}
