/** Returns the last two segments of the path, decoded. An empty or malformed segment is `undefined`. */
export function lastSegments({ url }: Request): readonly [string | undefined, string | undefined] {
  const [before, last] = new URL(url).pathname.split('/').slice(-2).map(decoded);
  return [before, last];
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment) || undefined;
  } catch {
    return undefined;
  }
}
