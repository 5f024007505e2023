import { harmlessText } from './harmless-text.ts';

/** Makes text that arrives in pieces harmless. */
export interface HarmlessStream {
  push(piece: string): string;
  /** Returns the buffered text. */
  end(): string;
}

/** Buffers a character or line end that spans two pieces until the second one arrives. */
export function createHarmlessStream(): HarmlessStream {
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? '';
      return harmlessText(text.slice(0, text.length - held.length));
    },
    end() {
      const text = held;
      held = '';
      return harmlessText(text);
    },
  };
}
