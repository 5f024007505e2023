// Builds the page of the inspector into dist/page/: index.html, page.js and page.css. It loads nothing else.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, '../../../dist/page');

mkdirSync(folder, { recursive: true });
await build({
  entryPoints: { page: join(here, 'main.tsx') },
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
});
await build({ entryPoints: [join(here, 'page.css')], outdir: folder, bundle: true, minify: true, charset: 'utf8' });
// Last: where it is there, the page is whole.
copyFileSync(join(here, 'index.html'), join(folder, 'index.html'));
