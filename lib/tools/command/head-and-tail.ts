/** Text that is kept while more and more of it comes. */
export interface HeadAndTail {
  add(text: string): void;
  /** What was kept, with a notice where something is missing. */
  text(): string;
}

/** Keeps the first and the last `maxCharacters / 2` characters of what is added, in memory that does not grow with the rest. */
export function headAndTail(maxCharacters: number): HeadAndTail {
  const half = Math.floor(maxCharacters / 2);
  let [head, tail, left] = ['', '', 0];
  let full = false;
  const trim = () => {
    const start = boundary(tail, Math.max(0, tail.length - half), 1);
    left += start;
    tail = tail.slice(start);
  };
  return {
    add(text) {
      const end = full ? 0 : boundary(text, Math.min(text.length, half - head.length), -1);
      head += text.slice(0, end);
      tail += text.slice(end);
      full = full || end < text.length;
      if (tail.length > 2 * half) trim();
    },
    text() {
      if (tail.length > half) trim();
      return left === 0 ? head + tail : `${head}\n[${left} characters are left out here.]\n${tail}`;
    },
  };
}

// A place to cut that does not part a surrogate pair.
function boundary(text: string, at: number, step: 1 | -1): number {
  return /^[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at + step : at;
}
