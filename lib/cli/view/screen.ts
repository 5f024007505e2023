import { createHarmlessStream } from '../terminal/harmless-stream.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { colours } from './colours.ts';

type Style = keyof ReturnType<typeof colours>;

/** A screen that is written from top to bottom, with whole lines and streamed texts. All text is made harmless. */
export interface Screen {
  /** Writes whole lines below the current text. A blank line separates them from lines of another `section`. */
  lines(section: string, text: string, ...styles: readonly Style[]): void;
  /** Appends to the text of this key. It starts a new section if other output came between. */
  grow(key: string, piece: string, ...styles: readonly Style[]): void;
}

/** `indent` is the prefix of every line of a sub-agent. */
export interface Place {
  readonly indent: string;
}

/** Creates a screen from a write function. */
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
