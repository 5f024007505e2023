import type { Sighting } from '../../compile/sighting.ts';

/** `order_id: `, `"orderId": `, `?ID=`. */
const NAMED = /(?:[a-z]I[dD]|(?:^|[^A-Za-z])[iI][dD]|[A-Z_]ID)["'`\]]{0,2}[ \t]{0,4}[:=][ \t]{0,4}["'`]?$/;

/** Returns whether the name before a value calls it an ID. */
export function isNamedId({ secret, match, line }: Sighting): boolean {
  const before = line.slice(0, line.length - match.length) + match.slice(0, match.lastIndexOf(secret));
  return NAMED.test(before.slice(-64));
}
