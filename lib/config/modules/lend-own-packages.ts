import { Module } from 'node:module';

/** The packages that a hook may import from any folder: this package, and the packages whose objects hooks receive. */
const OWN_PACKAGES = /^(?:hookline|rxjs|zod|pino)(?:\/|$)/;

type Resolve = (request: string, parent: unknown, ...rest: unknown[]) => string;

let lent = false;

/** Resolves `hookline`, rxjs, zod and pino to the copies of this package for modules that cannot find their own. Other modules keep theirs. */
export function lendOwnPackages(): void {
  if (lent) return;
  lent = true;
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = (request, parent, ...rest) => {
    try {
      return resolve.call(loader, request, parent, ...rest);
    } catch (error) {
      if (!OWN_PACKAGES.test(request)) throw error;
      return require.resolve(request);
    }
  };
}
