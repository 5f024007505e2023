import { isBareReference } from './is-bare-reference.ts';
import { isTokenValue } from './is-token-value.ts';

/** Whether a value without quotes that was given to a token is one. */
export function isBareTokenValue(value: string): boolean {
  return isTokenValue(value) && !isBareReference(value);
}
