import { createHarmlessStream } from '../terminal/harmless-stream.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { colours } from './colours.ts';

type Style = keyof ReturnType<typeof colours>;

/** A screen that is written from top to bottom: whole lines, and texts that grow. All that it is given becomes harmless. */
export interface Screen {
  /** Lines of their own, below what was begun. A blank line parts them from what was no `section` of that name. */
  lines(section: string, text: string, ...styles: readonly Style[]): void;
  /** Goes on with the text of that key, which begins in a section of its own when something else has come between. */
  grow(key: string, piece: string, ...styles: readonly Style[]): void;
}

/** `indent` stands before every line that a sub-agent's events bring. */
export interface Place {
  readonly indent: string;
}

/** Makes a screen of a function that writes. */
export function createScreen(
  write: (text: string) => void,
  paint: ReturnType<typeof colours>,
): (place: Place) => Screen {
  let section: string | undefined;
  let growing: { key: string; at: 'start' | 'within'; stream: ReturnType<typeof createHarmlessStream> } | undefined;

  function end(): void {
    if (!growing) return;
    const rest = growing.stream.end();
    if (rest !== '') write(rest);
    if (growing.at === 'within' || rest !== '') write('\n');
    growing = undefined;
  }

  function begin(name: string): void {
    end();
    if (section !== undefined && section !== name) write('\n');
    section = name;
  }

  const painted = (text: string, styles: readonly Style[]) =>
    styles.reduce((sum, style) => (paint[style] as (text: string) => string)(sum), text);

  return ({ indent }) => ({
    lines(name, text, ...styles) {
      begin(name);
      for (const line of harmlessText(text).split('\n')) write(`${indent}${painted(line, styles)}\n`);
    },
    grow(key, piece, ...styles) {
      if (growing?.key !== key) {
        begin(key);
        growing = { key, at: 'start', stream: createHarmlessStream() };
      }
      for (const part of growing.stream.push(piece).split(/(?<=\n)/)) {
        if (part === '') continue;
        const line = part.endsWith('\n') ? part.slice(0, -1) : part;
        write((growing.at === 'start' ? indent : '') + (line === '' ? '' : painted(line, styles)));
        growing.at = part === line ? 'within' : 'start';
        if (part !== line) write('\n');
      }
    },
  });
}
