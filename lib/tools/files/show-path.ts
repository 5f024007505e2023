/** Returns `path` on one line. Escapes control characters, so that a file name cannot look like several lines. */
export function formatPath(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
