import type { Rule } from '../compile/rule.ts';
import { FOLD, folded } from './folded.ts';

const DIGIT = '[0-9A-Za-z+/=]';
const BREAK = '[ \\t]{0,4}(?:(?:\\\\{1,2}r)?\\\\{1,2}n|\\r?\\n)';
/** What may stand before each line: indents, signs of quotations and diffs, numbers of lines. */
const BEFORE = '[ \\t>|*+#"\']*(?:[0-9]{1,5}[:|\\t]?[ \\t]*)?';
const BEHIND = '["\'+, \\t]*';
/** What may stand before the first of them: less, for it is looked at everywhere. */
const FIRST = '(?:(?:^|\\n)[ >+]*|["\'`:|\\t]|\\\\n)';
/** How much of the first line is let through: what begins like it is held back in a stream. */
const SHOWN = 16;
/** Lines that are full, and those behind them: the rest, a checksum. */
const SHORT = `${BREAK}${BEFORE}${DIGIT}{1,20}${BEHIND}`;
const LINES = `(?:${BREAK}${BEFORE}${DIGIT}{20,}${BEHIND})*(?:${SHORT}(?:${SHORT}|)|)`;

/** A private key whose beginning is missing: the lines in front of its last one, or of what PuTTY ends with. */
export const keyEndRule: Rule = {
  id: 'private-key-end',
  description: 'private key without its first line',
  pattern: new RegExp(
    `${FIRST}${DIGIT}{${SHOWN}}(${DIGIT}{4,}${BEHIND}${LINES})(?:${BREAK})?${BEFORE}` +
      `(?:-----END[0-9A-Z ]{0,16}${FOLD}[0-9A-Z ]{0,16}${folded('PRIVATE KEY')}|---- END SSH2 ENCRYPTED PRIVATE KEY|Private-MAC: ?[0-9a-f]{8})`,
  ),
  entropy: 4,
};
