import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * Reduces a source map to the lines of its sources: the first place of each line, without columns and names. Stack traces need no more, and the map
 * of every column is larger than the code.
 */
export function lineMap({ sources, mappings }) {
  let last;
  const isNew = ([, source, line]) => {
    const isOther = source !== last?.source || line !== last.line;
    last = { source, line };
    return isOther;
  };
  const lines = decode(mappings).map((segments) =>
    segments
      .filter((segment) => segment.length > 1 && isNew(segment))
      .map(([at, source, line]) => [at, source, line, 0]),
  );
  return { version: 3, sources, names: [], mappings: encode(lines) };
}
