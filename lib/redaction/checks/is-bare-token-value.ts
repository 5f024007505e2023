import { isBareReference } from './is-bare-reference.ts';
import { isTokenValue } from './is-token-value.ts';

/** Returns whether an unquoted value assigned to a token is one. */
export function isBareTokenValue(value: string): boolean {
  return isTokenValue(value) && !isBareReference(value);
}
