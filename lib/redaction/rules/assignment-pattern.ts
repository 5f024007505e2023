const Q = '\\\\?["\'`]';
/** What may follow the name of a secret and still be its name: `password_2`, `secretValue`, `TOKEN_PROD`. */
const TAIL =
  '(?:[_-]?(?:values?|text|plain|raw|prod(?:uction)?|dev|staging|test|live|primary|secondary|old|new|current|[0-9]{1,3}))?';
/** `=`, `:`, `=>`, `: string =`, `value=` of an XML attribute, and `value:` of the next line or member. */
const OPERATOR =
  `(?:${Q}?\\]?[ \\t]{0,8}(?::[ \\t]?str(?:ing)?[ \\t]?=|=>|[:?|]{0,2}={1,3}|[:：])` +
  `|${Q}?(?:,|[ \\t]|(?:\\\\r)?\\\\n|\\r?\\n)[ \\t-]{0,16}${Q}?value${Q}?[ \\t]?[:=])[ \\t]{0,8}`;

/** Up to six words of these characters. A passphrase has spaces, but what goes on for longer is a sentence, and no stream waits for its end. */
function words(character: string): string {
  const word = `(?:${character})+`;
  return Array.from({ length: 5 }).reduce<string>((rest) => `${word}(?: ${rest}|)`, word);
}

const LITERAL = [
  `\\\\"(${words('[^"\\\\\\s]')})`,
  `"(${words('[^"\\\\\\s]|\\\\[^\\s]')})`,
  `'(${words("[^'\\\\\\s]|\\\\[^\\s]")})`,
  `\`(${words('[^`\\\\\\s]')})`,
].join('|');
const BARE = '[^\\s"\'`\\\\(){}\\[\\]<>,;&|';

/** Patterns of `name = value`. They begin with the name, so that a scanner may wait for its letters. */
export const assignmentPattern = {
  /** A string literal; also within a string (`\"name\": \"value\"`). Its end may be missing. */
  quoted: (names: string): RegExp => new RegExp(`(?:${names})${TAIL}${OPERATOR}[bruf@$]{0,2}(?:${LITERAL})`, 'i'),
  /** A value that nothing encloses: YAML, INI, a query, an element's text. What follows tells it from a call or an index. */
  bare: (names: string, least: number): RegExp =>
    new RegExp(
      `(?:${names})${TAIL}(?:${OPERATOR}|>)(${BARE}?@=]${BARE}]{${least - 1},})(?:[\\s"'\`\\\\)}\\]<,;&|]|$)`,
      'i',
    ),
} as const;
