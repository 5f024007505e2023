// Builds the page of the inspector into dist/page/: index.html, page.js and page.css. It loads nothing else. Script and style are compressed: browsers
// accept them, and the package is smaller.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  metafile: true,
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
writeFileSync(join(folder, 'LICENSES.txt'), licensesOf(Object.keys(script.metafile.inputs)));
// Last: if it exists, the page is complete.
copyFileSync(join(here, 'index.html'), join(folder, 'index.html'));

/** Returns the license of each package in the script, because most licenses require the notice in each copy. */
function licensesOf(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[sc]e/i.test(name));
      const name = folder.replace(/^.*node_modules\//, '');
      if (file === undefined) throw new Error(`${name} is in the page, but has no license file`);
      return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    })
    .join('\n\n');
}
