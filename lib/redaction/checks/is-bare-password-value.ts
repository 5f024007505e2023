import { isBareReference } from './is-bare-reference.ts';
import { isPasswordValue } from './is-password-value.ts';

/** Whether a value without quotes that was given to a password is one: code and prose are full of words that are not. */
export function isBarePasswordValue(value: string): boolean {
  return isPasswordValue(value) && !isBareReference(value) && !/^[-\d.,:%]{1,5}$/.test(value);
}
