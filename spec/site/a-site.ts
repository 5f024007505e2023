import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const docs = join(__dirname, '../../docs');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** Returns the paths of all files of the built site: `hooks/budget.html`. */
export function filesOfSite(): readonly string[] {
  if (!existsSync(join(docs, 'index.html'))) throw new Error('There is no site. Run `npm run docs` to build it.');
  return readdirSync(docs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(docs.length + 1));
}

export function readSite(path: string): string {
  return readFileSync(join(docs, path), 'utf8');
}

/** Serves the site on a free port of loopback, like any static server. */
export async function serveSite(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const files = new Set(filesOfSite());
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const path = decodeURIComponent(pathname.slice(1));
    const file = files.has(path) ? path : join(path, 'index.html');
    if (!files.has(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(join(docs, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
