import type { Sighting } from '../../compile/sighting.ts';

/** `order_id: `, `"orderId": `, `?ID=`. */
const NAMED = /(?:[a-z]I[dD]|(?:^|[^A-Za-z])[iI][dD]|[A-Z_]ID)["'`\]]{0,2}[ \t]{0,4}[:=][ \t]{0,4}["'`]?$/;

/** Returns whether the name before a value calls it an ID. */
export function isNamedId({ secret, match, line }: Sighting): boolean {
  const before = line.slice(0, line.length - match.length) + match.slice(0, match.lastIndexOf(secret));
  return NAMED.test(before.slice(-64));
}

const UUID = /^\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?$/;
/** `token_id` is not a token. */
const NAMED_AS_TOKEN = /^(?:token|credentials?)["'`\]]{0,2}[ \t]{0,24}(?:[:=]|%3[AD])/i;

/** Returns whether a value is a UUID named as a token. There it grants access; elsewhere it is only an identifier. */
export function isNamedUuid(value: string, { match }: Sighting): boolean {
  return UUID.test(value) && NAMED_AS_TOKEN.test(match);
}
