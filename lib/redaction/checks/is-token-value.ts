import { entropy } from '../entropy.ts';
import { isPlaceholder } from './is-placeholder.ts';
import { isPublic } from './is-public.ts';
import { isReference } from './is-reference.ts';

/** Whether a value that was given to a token or a key is one: made by a machine, so of mixed and many characters. */
export function isTokenValue(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /\s/.test(value)) return false;
  if (isPlaceholder(value) || isReference(value) || isPublic(value)) return false;
  return entropy(value) >= 2.8;
}
