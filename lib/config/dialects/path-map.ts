import type { ConfigPath } from '../source/source.ts';

/** Maps the parts of a normalised configuration to their source. */
export interface PathMap {
  add(normalised: ConfigPath, source: ConfigPath): void;
  /** Returns the path in the source. A path that was not added is relative to the nearest added one. */
  toSource(path: ConfigPath): ConfigPath;
}

export function createPathMap(): PathMap {
  const known = new Map<string, ConfigPath>();
  const keyOf = (path: ConfigPath) => JSON.stringify(path.map(String));
  return {
    add(normalised, source) {
      known.set(keyOf(normalised), source);
    },
    toSource(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const source = known.get(keyOf(path.slice(0, length)));
        if (source) return [...source, ...path.slice(length)];
      }
      return path;
    },
  };
}
