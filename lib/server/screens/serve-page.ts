import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { HooklineError } from '../../errors.ts';
import type { ServerEnv } from '../caller.ts';

/** The page's own files, and what it asks this server for; nothing of anywhere else, and no script or style in its text. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FILES = [
  { path: '/', name: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.js', name: 'page.js.gz', type: 'text/javascript; charset=utf-8' },
  { path: '/page.css', name: 'page.css.gz', type: 'text/css; charset=utf-8' },
] as const;

/** Mounts the page of the inspector. Its files hold nothing secret, so they need no token. Where it is not built this throws `INPUT_INVALID`. */
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
  // In a checkout; the package has it built.
  if (existsSync(source) && !isNewer(built, source)) execFileSync(process.execPath, [join(source, 'build.mjs')]);
  if (existsSync(built)) return folder;
  throw new HooklineError(
    'INPUT_INVALID',
    `The page of the inspector is missing: there is no ${built}. Install hookline again.`,
  );
}

function isNewer(file: string, folder: string): boolean {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.every((name) => statSync(join(folder, name)).mtimeMs <= mtimeMs);
}
