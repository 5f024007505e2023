import { createHash, createHmac } from 'node:crypto';

/** A place in a file and the hash of all lines before it. */
export interface ChainPoint {
  /** Bytes from the beginning of the file; the end of a line. */
  readonly at: number;
  readonly prev: string;
}

/** The chain fields of a line. */
export interface ChainedLine extends ChainPoint {
  /** A random name for each writer. */
  readonly by: string;
  /** Identifies the key of a keyed chain without revealing it. */
  readonly keyId: string | undefined;
  /** The end of the previous file, in the first lines of a file. */
  readonly link: ChainPoint | undefined;
  readonly hash: string;
  /** The input of the hash. */
  readonly signed: Buffer;
}

/** The hash of no lines. */
export const GENESIS = '0'.repeat(64);

const VERSION = 1;
const LONGEST_END = 512;
const POINT = '"at":(\\d{1,15}),"prev":"([0-9a-f]{64})"';
const END = new RegExp(
  `(,"chain":\\{"v":(\\d+),"by":"([0-9a-f]{8})"(?:,"key":"([0-9a-f]{8})")?,${POINT}(?:,"link":\\{${POINT}\\})?\\}),"hash":"([0-9a-f]{64})"\\}$`,
);

/** Formats `record`, the text of a JSON object, as a line of a chain. */
export function chainLine(
  record: string,
  { at, prev, by, link }: Pick<ChainedLine, 'at' | 'prev' | 'by' | 'link'>,
  key: string | undefined,
): string {
  const chain = { v: VERSION, by, key: key === undefined ? undefined : keyIdOf(key), at, prev, link };
  const signed = `${record.trimEnd().slice(0, -1)},"chain":${JSON.stringify(chain)}`;
  return `${signed},"hash":"${hashOf(Buffer.from(signed), key)}"}\n`;
}

/** Reads a line without its end. Returns `newer` for a line of a later version, and undefined for a line outside a chain. */
export function readChainedLine(line: Buffer): ChainedLine | 'newer' | undefined {
  // A record cannot contain this pattern, because quotes in its strings are escaped.
  const found = END.exec(line.toString('latin1', Math.max(0, line.length - LONGEST_END)));
  if (!found) return undefined;
  const [all, , version, by = '', keyId, at, prev = '', linkAt, linkPrev = '', hash = ''] = found;
  if (Number(version) !== VERSION) return 'newer';
  const signed = line.subarray(0, line.length - all.length + (found[1]?.length ?? 0));
  const link = linkAt === undefined ? undefined : { at: Number(linkAt), prev: linkPrev };
  return { by, keyId, at: Number(at), prev, link, hash, signed };
}

/** SHA-256, or HMAC-SHA-256 if there is a key, in hexadecimal. */
export function hashOf(signed: Buffer, key: string | undefined): string {
  return (key === undefined ? createHash('sha256') : createHmac('sha256', key)).update(signed).digest('hex');
}

export function keyIdOf(key: string): string {
  return hashOf(Buffer.from('hookline audit key'), key).slice(0, 8);
}

/** Returns the hash of all lines up to this one, from the hash before it. Empty lines are ignored. */
export function rollHash(prev: string, line: Buffer): string {
  return line.length === 0 ? prev : createHash('sha256').update(prev).update(line).digest('hex');
}
