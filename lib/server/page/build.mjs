// Builds the page of the inspector into dist/page/: index.html, page.js and page.css. It loads nothing else. Script and style are compressed: browsers
// accept them, and the package is smaller.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, '../../../dist/page');

mkdirSync(folder, { recursive: true });
const script = await build({
  entryPoints: { page: join(here, 'main.tsx') },
  outdir: folder,
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
});
const style = await build({
  entryPoints: [join(here, 'page.css')],
  outdir: folder,
  write: false,
  bundle: true,
  minify: true,
  charset: 'utf8',
});
for (const { path, contents } of [...script.outputFiles, ...style.outputFiles])
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
// Last: if it exists, the page is complete.
copyFileSync(join(here, 'index.html'), join(folder, 'index.html'));
