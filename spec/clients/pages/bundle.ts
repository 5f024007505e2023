import { join } from 'node:path';
import { buildSync } from 'esbuild';

const HTML =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>chat</title><div id="root"></div><script src="/page.js"></script></html>';

/** A bundled page of this folder. `alias` maps its clients to packages. */
export function bundlePage(file: string, alias: Record<string, string> = {}): (path: string) => Response | undefined {
  const { outputFiles } = buildSync({
    absWorkingDir: join(__dirname, '..'),
    entryPoints: [join(__dirname, file)],
    bundle: true,
    write: false,
    alias,
    jsx: 'automatic',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const script = outputFiles[0]?.text ?? '';
  return (path) => {
    if (path === '/') return new Response(HTML, { headers: { 'content-type': 'text/html' } });
    if (path === '/page.js') return new Response(script, { headers: { 'content-type': 'text/javascript' } });
    if (path === '/favicon.ico') return new Response(null, { status: 204 });
    return undefined;
  };
}
