import type { Sighting } from '../compile/sighting.ts';
import { finder } from '../pattern/finder.ts';
import { isMade } from './is-made.ts';
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

/** A name with a capital letter before the word for a key. */
const SERVICE = /(?:^|[^\w.-])([A-Z][\w.-]*)[ \t]$/;
/** Keys that are public, names for a lookup, or on a keyboard. */
const OTHER =
  /^(?:public|primary|foreign|partition|sort|cache|object|index|unique|hash|range|row|group|message|routing|translation|event|map|item|ssh|gpg|pgp|signing|host|press|the|a|an|this|each|every|any|no|its|license|dedup\w*|idempotency|registry|composite|lookup)$/i;
const FINGERPRINT = /^[0-9A-Fa-f:]+$/;
const LEAST = 16;

/** Returns whether a value is a key behind the name of a service: `Stripe key x`. */
export function isServiceKey(value: string, { match, line }: Sighting): boolean {
  if (value.length < LEAST || FINGERPRINT.test(value) || !isMade(value) || !isKeyValue(value)) return false;
  const service = SERVICE.exec(line.slice(0, line.length - match.length).slice(-64))?.[1];
  return service !== undefined && !OTHER.test(service);
}
