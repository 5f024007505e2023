import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import { isPlaceholder } from '../events/values/sealed-placeholder.ts';

/** The place of a match: `at` is a path such as `input.command`, `excerpt` the text around it. */
export interface WordMatch {
  readonly pattern: string;
  readonly at: string;
  readonly excerpt: string;
}

type Text = { readonly text: string; readonly at: string; readonly identifier: boolean };
type Matcher = { readonly pattern: string; readonly find: (text: Text) => string | undefined };

/**
 * Creates a function that searches a tool's name and all strings and keys of its input for `patterns`. Strings match whole words and ignore case. A string
 * that ends in a space is a command and never matches a part of a camelCase name.
 */
export function wordFinder(
  patterns: readonly (string | RegExp)[],
): (tool: string, input: JsonObject) => WordMatch | undefined {
  const matchers = patterns.map((pattern) =>
    typeof pattern === 'string' ? wordMatcher(pattern) : regExpMatcher(pattern),
  );
  return (tool, input) => {
    for (const text of [{ text: tool, at: 'the tool name', identifier: true }, ...textsOf(input, 'input')]) {
      for (const { pattern, find } of matchers) {
        const excerpt = find(text);
        if (excerpt !== undefined) return { pattern, at: text.at, excerpt };
      }
    }
    return undefined;
  };
}

function* textsOf(value: JsonValue, at: string): Generator<Text> {
  if (typeof value === 'string') yield { text: value, at, identifier: false };
  else if (Array.isArray(value)) {
    // In an argument vector, a pattern of two words may span two items.
    const words = value.map((item) => (isPlaceholder(item) ? item['$sealed'] : item));
    if (words.length > 1 && words.every((word) => typeof word === 'string')) {
      yield { text: words.join(' '), at, identifier: false };
    }
    for (const [index, item] of value.entries()) yield* textsOf(item, `${at}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      const path = /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
      yield { text: key, at: `the key ${path}`, identifier: true };
      yield* textsOf(field, path);
    }
  }
}

function wordMatcher(pattern: string): Matcher {
  const command = pattern.endsWith(' ');
  const body = pattern.trim();
  const escaped = body.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  const edge = (character: string) => (/\p{L}/u.test(character) ? (command ? '[\\p{L}\\p{N}]' : '\\p{L}') : '\\p{N}');
  const before = /^[\p{L}\p{N}]/u.test(body) ? `(?<!${edge(body.at(0)!)})` : '';
  const after = /[\p{L}\p{N}]$/u.test(body) ? `(?!${edge(body.at(-1)!)})` : '';
  const anywhere = new RegExp(escaped, 'iu');
  // Compiling the classes of letters takes long, and few texts contain the words at all.
  let whole: RegExp | undefined;
  const search = (text: string): RegExpExecArray | null => {
    if (!anywhere.test(text)) return null;
    whole ??= new RegExp(before + escaped + after, 'iu');
    return whole.exec(text);
  };
  return {
    pattern,
    find({ text, identifier }) {
      // Encoded data contains many camelCase "rM"; commands in camelCase are searched in names only.
      const readings = command && !identifier ? readingsOf(text) : [...readingsOf(text), spaced(text)];
      for (const reading of readings) {
        const found = search(reading);
        if (found) return excerptOf(reading, found);
      }
      return undefined;
    },
  };
}

function regExpMatcher(pattern: RegExp): Matcher {
  // With `g` or `y`, a regular expression keeps its position and would miss every second call.
  const regExp = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return {
    pattern: String(pattern),
    find({ text }) {
      const found = regExp.exec(text);
      return found ? excerptOf(text, found) : undefined;
    },
  };
}

/** Returns a text as written, as a shell reads it (`r\m`, `r''m`), and with source code escapes replaced by the blanks they represent. */
function readingsOf(text: string): string[] {
  return [text, text.replace(/\\\r?\n|["'\\]/g, ''), text.replace(/\\[nrtfv]/g, ' ')];
}

/** Splits `deleteUser` into `delete User` and `DROPTable` into `DROP Table`. */
function spaced(text: string): string {
  return text.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}

function excerptOf(text: string, { index, 0: found }: RegExpExecArray): string {
  const start = Math.max(0, index - 40);
  const end = Math.min(text.length, index + Math.min(found.length, 80) + 40);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
