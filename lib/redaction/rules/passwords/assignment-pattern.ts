import { sameInAnyCase } from './same-in-any-case.ts';

/** A quote, also one of a string within a string. */
const Q = '(?:\\\\{0,3}["\'`])';
const COLOR = '(?:\\x1b\\[[0-9;]{0,12}m){0,2}';
/** All kinds of blanks: French and Japanese use their own before and after a colon. */
const WIDE = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff';
const BLANK = `[ \\t${WIDE}]`;
const GAP = `${BLANK}{0,24}`;
/** Suffixes of the name of a secret: `password_2`, `secretValue`, `TOKEN_PROD`. */
const TAIL = `(?:[_-]?${sameInAnyCase(
  '(?:values?|text|plain|raw|base|string|prod(?:uction)?|dev|staging|stage|test|live|primary|secondary|old|new|current|default|v?[0-9]{1,3})',
)})?`;
const TYPE =
  "(?::[ \\t]?(?:Optional\\[)?&?(?:'static )?(?:str|string|String|any|char|Text)\\]?[ \\t]?|[ \\t](?:As[ \\t])?(?:string|String|str)[ \\t]|" +
  '\\[[0-9]{0,4}\\][ \\t]?|[ \\t]?\\{ ?get;[^{}\\r\\n]{0,24}\\}[ \\t]?)?';
/** `=`, `:`, `=>`, `<-`, `:=`, `${X:-`. */
const SIGN = '(?::[=-]|=>|->|<-|→|[:?|+!]{0,2}={1,3}|[:：])';
const ASSIGN = `${Q}?[\\])}]?[*_]{0,2}${COLOR}[ \\t.${WIDE}]{0,24}${TYPE}${SIGN}[*_]{0,2}${COLOR}${GAP}${COLOR}`;
/** `value=` of an XML attribute, `value:` of the next line or field, `default =` of a block. */
const SIBLING =
  `${Q}?(?:[ \\t]|,?(?:(?:\\\\r)?\\\\n|\\r?\\n)|,)[ \\t-]{0,16}${Q}?[vV]alue${Q}?[ \\t]?[:=]${GAP}` +
  `|"[ \\t]?\\{\\s{1,8}(?:(?:type|description)[^\\r\\n]{0,48}\\r?\\n[ \\t]{0,8})?default[ \\t]{0,8}=${GAP}`;
/** Elements between a name and its value: `<b>Password:</b> x`, `<td>password</td><td>x`, `<key>password</key><string>x`, `<entry key="password">x`. */
const ELEMENT = '</?[A-Za-z][\\w-]{0,15}(?:[ \\t][^<>\\r\\n]{0,20})?/?>[ \\t\\r\\n]{0,8}';
const ELEMENTS = `(?:${Q}?[ \\t]?>(?:\\s{0,8}<[A-Za-z]{1,16}>)?|[ \\t]?[:：]?[ \\t]?(?:${ELEMENT}){1,2})`;
/** A YAML block, the next line, the next column of a table. */
const NEXT = `:[ \\t][|>][+-]?\\r?\\n[ \\t]{1,16}|[*_]{0,2}[:：][*_]{0,2}[ \\t]{0,4}\\r?\\n[ \\t>]{0,8}|[*_\`]{0,3}[ \\t]{1,24}\\|[ \\t]{1,24}`;
/** An argument, an alternative, or only a space. */
const LOOSE = `(?:${Q}?[\\])}]{0,2}[ \\t]?(?:(?:\\.[A-Za-z]{2,16})?\\(|,|\\|\\||\\?\\?|or)[ \\t]?|${Q}?[ \\t]{1,16})`;

/** Returns the pattern of up to six words of these characters. A passphrase has spaces, but a longer text is a sentence, and no stream waits for its end. */
function words(character: string): string {
  const word = `(?:${character})+`;
  return Array.from({ length: 5 }).reduce<string>((rest) => `${word}(?: ${rest}|)`, word);
}

const LITERAL = `[bBruRfL@$]{0,2}(?:${[
  `\\\\{1,3}"(${words('[^"\\\\\\s]')})`,
  `"(${words('[^"\\\\\\s]|\\\\[^\\s]')})`,
  `'(${words("[^'\\\\\\s]|\\\\[^\\s]")})`,
  `\`(${words('[^`\\\\\\s]')})`,
].join('|')})`;

/**
 * An unquoted value. Commas, brackets and ampersands are part of it until another name follows: half a visible secret is worse than a hidden name. A Markdown
 * link ends it.
 */
const CHARACTER = '[^\\s"\'`\\\\<>{}&,;()[\\]|\\x1b]';
const JOINT = '[&,;()[\\]{}|]';
const FIRST = '[^\\s"\'`\\\\<>{}&,;()[\\]|\\x1b?@=:*]';
const END = `(?:${JOINT}{0,4}[:.]?(?:[\\s"'\`\\\\<>\\x1b]|$)|[&,;|]{1,2}(?:amp;)?[\\w.%-]{1,32}[=:]|\\)?\\]\\()`;
const bareValue = `(${FIRST}${CHARACTER}+(?:${JOINT}{1,3}${CHARACTER}+)*?)${END}`;

/** Patterns of `name = value`. They begin with the name, so that a scanner can search for its letters. */
export const assignmentPattern = {
  /** A string literal, also within a string (`\"name\": \"value\"`). Its end may be missing. */
  quoted: (names: string): RegExp => new RegExp(`(?:${names})${TAIL}(?:${ASSIGN}|${SIBLING})${LITERAL}`),
  /** An unquoted value: YAML, INI, a query, the text of an element. */
  bare: (names: string): RegExp => new RegExp(`(?:${names})${TAIL}(?:${ASSIGN}|${SIBLING}|${ELEMENTS})${bareValue}`),
  /** A string literal after the name without an assignment: `setPassword("x")`, `env('KEY') ?? 'x'`, `#define KEY "x"`. */
  argument: (names: string): RegExp => new RegExp(`(?:${names})${TAIL}${LOOSE}${LITERAL}`),
  /** A value in the next line or column: `| password | x |`. */
  next: (names: string): RegExp => new RegExp(`(?:${names})${TAIL}(?:${NEXT})[*_\`]{0,3}${bareValue}`),
  /** A value that is the next word: `ENV DB_PASSWORD x`, `requirepass x`. */
  word: (names: string): RegExp => new RegExp(`(?:${names})${TAIL}[ \\t]{1,16}[*\`]{0,2}${bareValue}`),
} as const;
