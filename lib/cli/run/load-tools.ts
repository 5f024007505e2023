/** Loads the workspace tools lazily. Most configurations are checked without them, and loading them takes longer than the check. */
export function loadTools(): typeof import('../../tools/index.ts') {
  // The path is a folder, because the file name differs after the build.
  return require('../../tools');
}
