/**
 * Loads the server lazily, because its framework is an optional peer dependency. Without it, this throws `INPUT_INVALID` with the packages to
 * install.
 */
export function loadServer(): typeof import('../../server/index.ts') {
  // The path is a folder, because the file name differs after the build.
  return require('../../server');
}

/** Loads what servers share on a backplane, lazily too. */
export function loadBackplane(): typeof import('../../nats/backplane.ts') {
  return require('../../nats');
}
