/** Where a narrow column goes on: the end of a line, and how the next one may begin. */
export const FOLD = '(?:(?:\\\\{1,2}r)?(?:\\\\{1,2}n|\\r?\\n)[ \\t>|*+#0-9:]*)?';

/** The pattern of a text that a narrow column may break anywhere. */
export function folded(text: string): string {
  return [...text].join(FOLD);
}
