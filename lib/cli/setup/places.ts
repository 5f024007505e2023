/** Maximum number of stored line starts. Only a longer secret would get a wrong line. */
const MAX_LINES = 65_536;

/** Computes lines and columns, both from 1, in a text that arrives in pieces. */
export interface Places {
  add(text: string): void;
  /** Returns the place of a character. The offset is in UTF-16 units from the beginning. */
  placeOf(offset: number): { readonly line: number; readonly column: number };
}

export function createPlaces(): Places {
  let starts = [0];
  let firstLine = 1;
  let length = 0;
  return {
    add(text) {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(length + at + 1);
      length += text.length;
      if (starts.length <= 2 * MAX_LINES) return;
      firstLine += starts.length - MAX_LINES;
      starts = starts.slice(-MAX_LINES);
    },
    placeOf(offset) {
      let low = 0;
      for (let high = starts.length - 1; low < high; ) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] as number) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: firstLine + low, column: Math.max(0, offset - (starts[low] as number)) + 1 };
    },
  };
}
