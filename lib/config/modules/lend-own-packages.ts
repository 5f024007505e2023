import { Module } from 'node:module';

/** What a hook may import wherever it lies: this package, and what it gives into a hook's hands. */
const LENT = /^(?:hookline|rxjs|zod|pino)(?:\/|$)/;

type Resolve = (request: string, parent: unknown, ...rest: unknown[]) => string;

let lent = false;

/**
 * Lets modules that cannot find `hookline`, rxjs, zod or pino from where they lie have this package's own. Those that can find them
 * keep theirs.
 */
export function lendOwnPackages(): void {
  if (lent) return;
  lent = true;
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = (request, parent, ...rest) => {
    try {
      return resolve.call(loader, request, parent, ...rest);
    } catch (error) {
      if (!LENT.test(request)) throw error;
      return require.resolve(request);
    }
  };
}
