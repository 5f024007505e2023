/** The workspace tools; only here, since most configurations are checked without them, and they take longer to load than to check those. */
export function loadTools(): typeof import('../../tools/index.ts') {
  // The folder, since the file is called otherwise once it is built.
  return require('../../tools');
}
