import { finder } from '../pattern/finder.ts';
import { isBareDigest } from './is-public.ts';
import { isTokenValue } from './is-token-value.ts';

const isWord = finder(/^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+|v?\d{1,8}|[0-9a-f]{1,7}|[a-z]{1,8}\d{1,3})$/);
/** A run of characters that no word, number or file name contains. */
const isRandom = finder(/[A-Za-z0-9+/=_-]{12}/);

/**
 * Returns whether a value assigned to a key is secret. Keys of tables, caches, files and events are words, numbers and digests, joined by dots, dashes and
 * slashes.
 */
export function isKeyValue(value: string): boolean {
  if (!isTokenValue(value) || isBareDigest(value) || !isRandom(value)) return false;
  const parts = value.split(/[-_./:#@|,]/).filter((part) => part !== '');
  const words = parts.filter(isWord).length;
  return parts.length === 1 ? !isWord(value) : words < 2 || words * 2 < parts.length;
}
