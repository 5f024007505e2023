/** `path` on one line: control characters, which would let a file's name pretend to be more lines, as escapes. */
export function showPath(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
