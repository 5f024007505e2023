import { harmlessText } from './harmless-text.ts';

/** Makes text harmless that comes in pieces. */
export interface HarmlessStream {
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

/** A character, or a line end, that lies across two pieces is held back until the second one comes. */
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
