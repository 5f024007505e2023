/** The source of a pattern with each letter in both cases, for patterns of which another part minds the case. Its classes must hold no letters. */
export function sameInAnyCase(source: string): string {
  return source.replace(/\\.|[a-z]/gi, (part) => {
    if (part.length > 1 || part.toLowerCase() === part.toUpperCase()) return part;
    return `[${part.toLowerCase()}${part.toUpperCase()}]`;
  });
}
