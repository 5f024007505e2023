import { readFileSync } from 'node:fs';
import { attempt, demand } from './attempt.mjs';

/** 3 MB, and room for the adapters of loops and the dialects of coding agents that others write. */
const MOST_BYTES = 4_000_000;
const isBuild = ({ path }) => path.startsWith('dist/') && !path.startsWith('dist/page/');

/** What is in the tarball, and how much of it is loaded. */
export function tryContents({ run, node, bin }, { filename, files, unpackedSize }) {
  attempt('size of both builds with their types, unpacked', () => {
    const bytes = files.filter(isBuild).reduce((sum, { size }) => sum + size, 0);
    demand(bytes <= MOST_BYTES, `${bytes} bytes, more than ${MOST_BYTES}`);
    return `${(bytes / 1e6).toFixed(2)} MB of ${(unpackedSize / 1e6).toFixed(2)} MB`;
  });

  attempt('no source map, and none that is named', () => {
    const files = run('tar', ['-tzf', filename]).split('\n');
    demand(!files.some((file) => file.endsWith('.map')), 'there is a .map');
    const names = files
      .filter((file) => /\.(?:js|d\.ts)$/.test(file))
      .map((file) => bin(`hookline/${file.replace('package/', '')}`));
    demand(
      names.length > 500 && !names.some((file) => readFileSync(file, 'utf8').includes('sourceMappingURL')),
      'a file names a map',
    );
  });

  attempt('hookline is loaded from a few files', () => {
    const list = `Object.keys(require.cache).filter((file) => file.includes('node_modules/hookline/'))`;
    const files = JSON.parse(node('-e', `require('hookline'); console.log(JSON.stringify(${list}))`));
    demand(files.length <= 10, `${files.length} files, more than 10: ${files.join(', ')}`);
    return `${files.length}`;
  });
}
