/** A break in a narrow column: the end of a line, and the possible beginnings of the next. */
export const FOLD = '(?:(?:\\\\{1,2}r)?(?:\\\\{1,2}n|\\r?\\n)[ \\t>|*+#0-9:]*)?';

/** Returns the pattern of a text that a narrow column may break anywhere. */
export function folded(text: string): string {
  return [...text].join(FOLD);
}
