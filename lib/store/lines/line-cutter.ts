/** A line of a file as bytes, without its line end. */
export interface Line {
  /** A view of the piece that was read. A reader that keeps it keeps the piece. */
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** Bytes from the beginning of the file; `end` includes the line end. */
  readonly start: number;
  readonly end: number;
  /** False for a last line without a line end, for example after a crash. */
  readonly whole: boolean;
}

/** Cuts the bytes of a file into lines, piece by piece. */
export interface LineCutter {
  /** Returns the lines that end in this piece. The caller must not write to the piece afterwards. */
  cut(piece: Buffer): readonly Line[];
  /** Returns the last line if it has no line end. Call it after the last piece. */
  rest(): Line | undefined;
}

/** A line is parsed as one string, and the longest string of V8 is not much longer. */
const LONGEST = 256 * 1_024 * 1_024;
const LINE_END = 10;

/** Starts at line 1 and byte 0. `cut` throws as soon as a line has more than `longest` bytes. */
export function createLineCutter(longest: number = LONGEST): LineCutter {
  let number = 1;
  let start = 0;
  /** The pieces of a line that has not ended. */
  let parts: Buffer[] = [];
  let length = 0;

  function add(part: Buffer): void {
    parts.push(part);
    length += part.length;
    if (length > longest) throw new Error(`line ${number} is longer than ${sizeOf(longest)}`);
  }

  function take(whole: boolean): Line {
    // Most lines are within one piece, and are not copied.
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const end = start + length + (whole ? 1 : 0);
    const line: Line = { bytes, number, start, end, whole };
    parts = [];
    length = 0;
    start = end;
    number += 1;
    return line;
  }

  return {
    cut(piece) {
      const lines: Line[] = [];
      let begin = 0;
      for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, begin)) {
        add(piece.subarray(begin, end));
        lines.push(take(true));
        begin = end + 1;
      }
      if (begin < piece.length) add(piece.subarray(begin));
      return lines;
    },
    rest: () => (length > 0 ? take(false) : undefined),
  };
}

function sizeOf(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`;
}
