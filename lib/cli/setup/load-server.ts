/** The server; only here, since its framework is an optional peer. Without it this throws `INPUT_INVALID`, with what to install. */
export function loadServer(): typeof import('../../server/index.ts') {
  // The folder, since the file is called otherwise once it is built.
  return require('../../server');
}
