import type { Rule } from '../rule.ts';

/** Ends of lines as they stand in files, in JSON strings and in quoted code. */
const BREAK = '(?:\\\\{1,2}r|\\\\{1,2}n|[\\r\\n]){1,4}';
/** How a line may begin in a diff, a quotation, a comment or an indented block. */
const INDENT = '[ \\t+>|*#"\']*';
const LINE = '(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash)[ \\t]?:[^\\r\\n\\\\]*|[0-9A-Za-z+/=]+)';
const BODY = `(?:${BREAK}${INDENT}${LINE}|[ \\t]?[0-9A-Za-z+/=]{40,})`;

/** Private keys, from their first line on. A key that was cut off is a key: there need be no last line. */
export const pemRules: readonly Rule[] = [
  {
    id: 'private-key',
    description: 'private key',
    pattern: new RegExp(
      `-----BEGIN[0-9A-Z ]{0,40} PRIVATE KEY(?: BLOCK)?-----(?:${BODY})*(?:${BREAK}${INDENT}-----END[0-9A-Z ]{0,40}-----)?`,
      'i',
    ),
    swallow: true,
  },
  {
    id: 'ssh2-private-key',
    description: 'SSH2 private key',
    pattern: new RegExp(`---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----(?:${BODY})*`),
    swallow: true,
  },
  {
    id: 'putty-private-key',
    description: 'PuTTY private key',
    pattern: new RegExp(`Private-Lines: [0-9]{1,3}(?:${BODY})+`),
    swallow: true,
  },
];
