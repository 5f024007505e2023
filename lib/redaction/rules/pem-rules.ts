import type { Rule } from '../rule.ts';

/** Ends of lines as they stand in files, in JSON strings and in quoted code. */
const BREAK = '(?:\\\\{1,2}r|\\\\{1,2}n|[\\r\\n]){1,4}';
/** How a line may begin in a diff, a quotation, a comment or an indented block. */
const INDENT = '[ \\t+>|*#"\']*';
const LINE = '(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash)[ \\t]?:[^\\r\\n\\\\]*|[0-9A-Za-z+/=]{2,})';
const BODY = `(?:${BREAK}${INDENT}${LINE}|[ \\t]?[0-9A-Za-z+/=]{40,})`;

const BEGIN = '-----BEGIN[0-9A-Z ]{0,40} PRIVATE KEY(?: BLOCK)?----';
const END = `(?:${BREAK}${INDENT}-----END[0-9A-Z ]{0,40}-----)?`;

/**
 * Private keys, from their first line on. A key that was cut off is a key: there need be no last line. The first line is a rule of its own,
 * because what swallows hides all that it begins with, and certificates begin like keys; the two overlap in its last character.
 */
export const pemRules: readonly Rule[] = [
  { id: 'private-key', description: 'private key', pattern: new RegExp(`${BEGIN}-`, 'i') },
  {
    id: 'private-key-body',
    description: 'lines of a private key',
    pattern: new RegExp(`${BEGIN}(-(?:${BODY})*${END})`, 'i'),
    swallow: true,
  },
  {
    id: 'ssh2-private-key',
    description: 'SSH2 private key',
    pattern: new RegExp(`---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ---(-(?:${BODY})*)`),
    swallow: true,
  },
  {
    id: 'putty-private-key',
    description: 'PuTTY private key',
    pattern: new RegExp(`Private-Lines: [0-9]{1,3}((?:${BODY})+)`),
    swallow: true,
  },
];
