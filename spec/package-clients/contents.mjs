import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt, demand } from './attempt.mjs';

/** 3 MB, and room for the adapters of loops and the dialects of coding agents that others write. */
const MOST_BYTES = 4_000_000;
/** Lines only: the maps of all columns have more than 2 MB. */
const MOST_MAP_BYTES = 500_000;
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const isMap = ({ path }) => path.endsWith('.map');
const isBuild = ({ path }) => path.startsWith('dist/') && !path.startsWith('dist/page/') && !isMap({ path });

/** What is in the tarball, and how much of it is loaded. */
export function tryContents({ node, bin }, { files, unpackedSize }) {
  attempt('size of both builds with their types, unpacked', () => {
    const bytes = files.filter(isBuild).reduce((sum, { size }) => sum + size, 0);
    demand(bytes <= MOST_BYTES, `${bytes} bytes, more than ${MOST_BYTES}`);
    return `${(bytes / 1e6).toFixed(2)} MB of ${(unpackedSize / 1e6).toFixed(2)} MB`;
  });

  attempt('source maps of the ES modules, and no others', () => {
    const maps = files.filter(isMap);
    demand(
      maps.length > 500 && maps.every(({ path }) => path.startsWith('dist/esm/')),
      `${maps.length} maps, or some outside dist/esm/`,
    );
    const bytes = maps.reduce((sum, { size }) => sum + size, 0);
    demand(bytes <= MOST_MAP_BYTES, `${bytes} bytes, more than ${MOST_MAP_BYTES}`);
    const named = files
      .filter(({ path }) => /\.(?:js|d\.ts)$/.test(path))
      .filter(({ path }) => readFileSync(bin(`hookline/${path}`), 'utf8').includes('//# sourceMappingURL='))
      .map(({ path }) => `${path}.map`);
    demand(
      named.sort().join() ===
        maps
          .map(({ path }) => path)
          .sort()
          .join(),
      'a file names a map that is not there',
    );
    const without = maps.filter(({ path }) => {
      const { sources } = JSON.parse(readFileSync(bin(`hookline/${path}`), 'utf8'));
      return sources.length === 0 || !sources.every((source) => existsSync(join(root, dirname(path), source)));
    });
    demand(without.length === 0, `no source of lib/: ${without.map(({ path }) => path).join(', ')}`);
    return `${(bytes / 1e6).toFixed(2)} MB`;
  });

  attempt('hookline is loaded from a few files', () => {
    const list = `Object.keys(require.cache).filter((file) => file.includes('node_modules/hookline/'))`;
    const files = JSON.parse(node('-e', `require('hookline'); console.log(JSON.stringify(${list}))`));
    demand(files.length <= 10, `${files.length} files, more than 10: ${files.join(', ')}`);
    return `${files.length}`;
  });
}
