import { createHash } from 'node:crypto';

/** Texts of more characters become a hash, because NATS limits a subject to 4,096 bytes. */
const LONGEST = 200;

/** Encodes text as one token of a subject. Plain names stay readable. Distinct texts have distinct tokens. */
export function tokenOf(text: string): string {
  if (/^[A-Za-z0-9_-]{1,200}$/.test(text)) return text;
  // JSON keeps half of a surrogate pair, which UTF-8 would replace.
  if (text.length > LONGEST) return `==${createHash('sha256').update(JSON.stringify(text)).digest('base64url')}`;
  return `=${Buffer.from(JSON.stringify(text)).toString('base64url')}`;
}

/** Decodes a token; undefined if it is a hash. */
export function textOf(token: string): string | undefined {
  if (token.startsWith('==')) return undefined;
  return token.startsWith('=') ? JSON.parse(Buffer.from(token.slice(1), 'base64url').toString()) : token;
}
