/** The beginning and the end of a text that comes in pieces; what lies between is counted and let go. */
export interface KeptEnds {
  /** Gives what of the next piece belongs to the beginning. */
  take(piece: string): string;
  /** What follows the beginning: a notice, if something was left out, and the end. */
  rest(): string;
}

/** The longest notice, with a number of 16 digits. */
const NOTICE = 50;
/** Below this many characters the notice would leave no room for the text: a single character stands for it. */
const ROOM_FOR_NOTICE = 2 * NOTICE;

/** How ends are kept. `fits`: the notice is part of `maxCharacters`; default: it comes on top. */
export interface KeepEndsOptions {
  readonly fits?: boolean;
}

/**
 * Keeps the first and the last `maxCharacters / 2` characters, in memory that does not grow with the rest. A text of at most `maxCharacters` stays
 * whole. No surrogate pair is parted.
 */
export function keepEnds(maxCharacters: number, { fits = false }: KeepEndsOptions = {}): KeptEnds {
  const isShort = fits && maxCharacters < ROOM_FOR_NOTICE;
  const reserve = fits ? (isShort ? 1 : NOTICE) : 0;
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
      // After the first cut, nothing belongs to the beginning. The end may use the room that a surrogate pair left over.
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

/** A text, or its beginning and end in `maxCharacters` characters with a notice between them. */
export function cutMiddle(text: string, maxCharacters: number, options?: KeepEndsOptions): string {
  const ends = keepEnds(maxCharacters, options);
  return ends.take(text) + ends.rest();
}

// A place to cut that does not part a surrogate pair.
function boundary(text: string, at: number, step: 1 | -1): number {
  return /^[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at + step : at;
}
