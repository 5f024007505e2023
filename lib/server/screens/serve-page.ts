import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { HooklineError } from '../../errors.ts';
import type { ServerEnv } from '../security/caller.ts';

/** Allows files and requests of this server only. Inline scripts and styles are not allowed. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FILES = [
  { path: '/', name: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.js', name: 'page.js.gz', type: 'text/javascript; charset=utf-8' },
  { path: '/page.css', name: 'page.css.gz', type: 'text/css; charset=utf-8' },
] as const;

/** Serves the inspector. Its files contain no secrets, so they need no token. Throws `INPUT_INVALID` if the page is not built. */
export function servePage(app: Hono<ServerEnv>): void {
  const folder = pageFolder();
  for (const { path, name, type } of FILES) {
    const bytes = readFileSync(join(folder, name));
    const headers = { 'content-type': type, 'content-security-policy': PAGE_POLICY };
    const packed = { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' };
    app.get(path, ({ req }) => {
      if (!name.endsWith('.gz')) return new Response(bytes, { headers });
      const takesPacked = /\bgzip\b/.test(req.header('accept-encoding') ?? '');
      return takesPacked ? new Response(bytes, { headers: packed }) : new Response(gunzipSync(bytes), { headers });
    });
  }
}

function pageFolder(): string {
  const root = dirname(require.resolve('hookline/package.json'));
  const folder = join(root, 'dist/page');
  const source = join(root, 'lib/server/page');
  const built = join(folder, 'index.html');
  // Builds the page in a checkout. The package contains the built page.
  if (existsSync(source) && !isNewer(built, source)) execFileSync(process.execPath, [join(source, 'build.mjs')]);
  if (existsSync(built)) return folder;
  throw new HooklineError('INPUT_INVALID', `The web UI is missing: there is no ${built}. Reinstall hookline.`);
}

function isNewer(file: string, folder: string): boolean {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.every((name) => statSync(join(folder, name)).mtimeMs <= mtimeMs);
}
