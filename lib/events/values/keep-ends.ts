/** Keeps the beginning and the end of a text that arrives in pieces. The middle is counted and dropped. */
export interface KeptEnds {
  /** Returns the part of the next piece that belongs to the beginning. */
  take(piece: string): string;
  /** Returns the text after the beginning: a notice, if text was dropped, and the end. */
  rest(): string;
}

/** Length of the longest notice, with a number of 16 digits. */
const NOTICE = 50;
/** Below this length the notice leaves no room for text, so one character replaces it. */
const ROOM_FOR_NOTICE = 2 * NOTICE;

/** `withNotice`: the notice counts towards `maxCharacters`. By default it is added. */
export interface KeepEndsOptions {
  readonly withNotice?: boolean;
}

/**
 * Keeps the first and the last `maxCharacters / 2` characters, in constant memory. A text of up to `maxCharacters` stays whole. Surrogate pairs are
 * not split.
 */
export function keepEnds(maxCharacters: number, { withNotice = false }: KeepEndsOptions = {}): KeptEnds {
  const isShort = withNotice && maxCharacters < ROOM_FOR_NOTICE;
  const reserve = withNotice ? (isShort ? 1 : NOTICE) : 0;
  const half = Math.floor((maxCharacters - reserve) / 2);
  let [room, tail, left] = [half, '', 0];
  const trim = () => {
    const start = boundary(tail, Math.max(0, tail.length - half), 1);
    left += start;
    tail = tail.slice(start);
  };
  let whole = maxCharacters - half;
  return {
    take(piece) {
      const end = boundary(piece, Math.min(piece.length, room), -1);
      // After the first cut, nothing is added to the beginning. The end may use the character that a surrogate pair left over.
      if (end < piece.length) [whole, room] = [whole + room - end, end];
      room -= end;
      tail += piece.slice(end);
      if (tail.length > Math.max(whole, 2 * half)) trim();
      return piece.slice(0, end);
    },
    rest() {
      if (tail.length > (left > 0 ? half : whole)) trim();
      if (left === 0) return tail;
      return isShort ? `\u2026${tail}` : `\n[${left} characters are left out here.]\n${tail}`;
    },
  };
}

/** Returns a text, or its beginning and end within `maxCharacters`, with a notice between them. */
export function cutMiddle(text: string, maxCharacters: number, options?: KeepEndsOptions): string {
  const ends = keepEnds(maxCharacters, options);
  return ends.take(text) + ends.rest();
}

// Returns an offset that does not split a surrogate pair.
function boundary(text: string, at: number, step: 1 | -1): number {
  return /^[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at + step : at;
}
