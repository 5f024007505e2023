import type { Rule } from '../compile/rule.ts';
import { FOLD, folded } from './folded.ts';

const DIGIT = '[0-9A-Za-z+/=]';
const BREAK = '[ \\t]{0,4}(?:(?:\\\\{1,2}r)?\\\\{1,2}n|\\r?\\n)';
/** A short prefix of a log: words, a time, a name. */
export const PREFIX = '[^\\r\\n]{0,40}[ \\t:|]';
/** Text that may be before each line: indentation, signs of quotations and diffs, line numbers. */
const BEFORE = `(?:[ \\t>|*+#"']*(?:[0-9]{1,5}[:|\\t]?[ \\t]*)?|${PREFIX})`;
const BEHIND = '["\'+, \\t]*';
/** Text that may be before the first line: shorter, because it is tested everywhere. */
const FIRST = '(?:(?:^|\\n)[ >+]*|["\'`:| \\t]|\\\\n)';
/** The part of the first line that is released: text with the same beginning is held back in a stream. */
const SHOWN = 16;
/** Complete lines, and those after them: the rest, a checksum. */
const SHORT = `${BREAK}${BEFORE}${DIGIT}{1,20}${BEHIND}`;
const LINES = `(?:${BREAK}${BEFORE}${DIGIT}{20,}${BEHIND})*(?:${SHORT}(?:${SHORT}|)|)`;

/** A private key without its beginning: the lines before its last one, or before the end of a PuTTY key. */
export const keyEndRule: Rule = {
  id: 'private-key-end',
  description: 'private key without its first line',
  pattern: new RegExp(
    `${FIRST}${DIGIT}{${SHOWN}}(${DIGIT}{4,}${BEHIND}${LINES})(?:${BREAK})?${BEFORE}` +
      `(?:-----END[0-9A-Z ]{0,16}${FOLD}[0-9A-Z ]{0,16}${folded('PRIVATE KEY')}|---- END SSH2 ENCRYPTED PRIVATE KEY|Private-MAC: ?[0-9a-f]{8})`,
  ),
  entropy: 4,
};
