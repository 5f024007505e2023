import { createHash } from 'node:crypto';
import type { DocumentKey } from './document-store.ts';

const SEPARATOR = '~';
const SUFFIX = '.json';
/** File systems allow 255 bytes. The lock and the temporary file of a document have longer names. */
const MAX_LENGTH = 200;
/** Device names of Windows, which ignores extensions. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const LONG = /^[a-z0-9_~%-]*\.[0-9a-f]{64}\.json$/;
const SHORT = /^(?:[a-z0-9_~-]|%(?:[0-9a-f]{4})?)+\.json$/;

/**
 * Returns a unique file name for a key. Segments are joined with `~`. Characters other than lower-case letters, digits, `_` and `-` become `%` and
 * four hexadecimal digits, so that names also differ on case-insensitive file systems. Long names end with a hash.
 */
export function fileName(key: DocumentKey): string {
  const joined = key.map(encoded).join(SEPARATOR);
  const name = DEVICE.test(joined) ? spelled(joined.charAt(0)) + joined.slice(1) : joined;
  if (name.length <= MAX_LENGTH) return name + SUFFIX;
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  return `${name.slice(0, MAX_LENGTH - hash.length - 1)}.${hash}${SUFFIX}`;
}

/** Returns the key of a file name; `long` if only the file contains the key; undefined if the file is not a document. */
export function keyOfFileName(name: string): DocumentKey | 'long' | undefined {
  if (LONG.test(name)) return 'long';
  if (!SHORT.test(name)) return undefined;
  return name.slice(0, -SUFFIX.length).split(SEPARATOR).map(decoded) as [string, ...string[]];
}

/** Whether the key of a long file name may start with these segments. The start of the name excludes most other keys. */
export function mayBeBelow(name: string, prefix: readonly string[]): boolean {
  const begin = name.slice(0, name.indexOf('.'));
  const asked = prefix.map((segment) => encoded(segment) + SEPARATOR).join('');
  return begin.startsWith(asked) || asked.startsWith(begin);
}

function encoded(segment: string): string {
  // A single % is the empty segment.
  return segment === '' ? '%' : segment.replace(/[^a-z0-9_-]/g, spelled);
}

/** Encodes UTF-16 units, because UTF-8 cannot represent lone surrogates. */
function spelled(unit: string): string {
  return `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function decoded(segment: string): string {
  return segment.replace(/%([0-9a-f]{4})?/g, (_, unit?: string) =>
    unit === undefined ? '' : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}
