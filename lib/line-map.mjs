import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * Reduces a source map to the lines of its sources: the first place of each line, without columns and names. Stack traces need no more, and the map
 * of every column is larger than the code.
 */
export function lineMap({ sources, mappings }) {
  const lines = decode(mappings).map((segments) => {
    // Readers look for the place of a column in its line only, so each line begins anew.
    let last;
    return segments.flatMap(([at, source, line]) => {
      if (source === undefined || (source === last?.source && line === last.line)) return [];
      last = { source, line };
      return [[at, source, line, 0]];
    });
  });
  return { version: 3, sources, names: [], mappings: encode(lines) };
}
