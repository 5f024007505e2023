import { createHash } from 'node:crypto';
import type { DocumentKey } from './document-store.ts';

const SEPARATOR = '~';
const SUFFIX = '.json';
/** File systems take 255 bytes; the lock and the temporary file beside a document have longer names. */
const MAX_LENGTH = 200;
/** Names that Windows takes for devices, whatever stands behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const LONG = /^[a-z0-9_~%-]*\.[0-9a-f]{64}\.json$/;
const SHORT = /^(?:[a-z0-9_~-]|%(?:[0-9a-f]{4})?)+\.json$/;

/**
 * A file name for a key, one for each: segments are joined with `~`, and all but lower-case letters, digits, `_` and `-` is spelled out as
 * `%` and four hexadecimal digits, so that it does not matter whether a file system tells cases apart. Long ones end with a hash.
 */
export function fileName(key: DocumentKey): string {
  const joined = key.map(encoded).join(SEPARATOR);
  const name = DEVICE.test(joined) ? spelled(joined.charAt(0)) + joined.slice(1) : joined;
  if (name.length <= MAX_LENGTH) return name + SUFFIX;
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  return `${name.slice(0, MAX_LENGTH - hash.length - 1)}.${hash}${SUFFIX}`;
}

/** The key of a file name, `long` where only the file itself tells it, and undefined for files that are no documents. */
export function keyOfFileName(name: string): DocumentKey | 'long' | undefined {
  if (LONG.test(name)) return 'long';
  if (!SHORT.test(name)) return undefined;
  return name.slice(0, -SUFFIX.length).split(SEPARATOR).map(decoded) as [string, ...string[]];
}

/** Whether the key of a long file name may begin with these segments; the beginning of the name tells of most that it does not. */
export function mayBeBelow(name: string, prefix: readonly string[]): boolean {
  const begin = name.slice(0, name.indexOf('.'));
  const asked = prefix.map((segment) => encoded(segment) + SEPARATOR).join('');
  return begin.startsWith(asked) || asked.startsWith(begin);
}

function encoded(segment: string): string {
  // A lone % stands for nothing at all, so that no segment is empty.
  return segment === '' ? '%' : segment.replace(/[^a-z0-9_-]/g, spelled);
}

/** By UTF-16 units: halves of pairs are text too, and UTF-8 has none. */
function spelled(unit: string): string {
  return `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function decoded(segment: string): string {
  return segment.replace(/%([0-9a-f]{4})?/g, (_, unit?: string) =>
    unit === undefined ? '' : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}
