import { RuleError } from '../../compile/rule-error.ts';

/** The source of a pattern, and the current place. */
export interface PatternReader {
  readonly source: string;
  /** `js` for a RegExp; `re2` for a string, which may be in either syntax. */
  readonly dialect: 'js' | 're2';
  at: number;
  /** Returns the next character; an empty string at the end. */
  peek(): string;
  /** Skips `text` if it is next. */
  take(text: string): boolean;
  /** Skips the match of a sticky expression. */
  match(expression: RegExp): RegExpExecArray | undefined;
}

/** Reads a pattern from its beginning. */
export function patternReader(source: string, dialect: 'js' | 're2'): PatternReader {
  return {
    source,
    dialect,
    at: 0,
    peek() {
      return this.source.charAt(this.at);
    },
    take(text) {
      if (!this.source.startsWith(text, this.at)) return false;
      this.at += text.length;
      return true;
    },
    match(expression) {
      expression.lastIndex = this.at;
      const found = expression.exec(this.source) ?? undefined;
      if (found) this.at += found[0].length;
      return found;
    },
  };
}

/** Creates the error for a pattern that cannot be parsed. */
export function unreadable(reader: PatternReader, what: string): RuleError {
  return new RuleError(`its pattern cannot be read: ${what} at ${reader.at}`, 'correct the pattern');
}
