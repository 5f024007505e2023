import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Api, anApi, HOST } from '../api.ts';

describe('the page of the inspector', () => {
  let api: Api;
  before(async () => {
    api = await anApi({}, { page: true });
  });
  after(() => api.close());

  const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    api.server.fetch(new Request(`http://${HOST}${path}`, { headers }));

  it('is served without a token, with a policy for its own files only', async () => {
    for (const [path, type] of [
      ['/', 'text/html; charset=utf-8'],
      ['/page.js', 'text/javascript; charset=utf-8'],
      ['/page.css', 'text/css; charset=utf-8'],
    ] as const) {
      const { status, headers } = await open(path);
      expect([status, headers.get('content-type')], path).to.deep.equal([200, type]);
      expect(headers.get('content-security-policy')).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('is compressed if the client supports it, at most 60 kB in total, and otherwise identical', async () => {
    let sum = 0;
    for (const path of ['/', '/page.js', '/page.css']) {
      const packed = await open(path, { 'accept-encoding': 'gzip, br' });
      const bytes = Buffer.from(await packed.arrayBuffer());
      sum += bytes.length;
      const text = packed.headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes;
      expect(text.toString(), path).to.equal(await (await open(path)).text());
    }
    expect(sum).to.be.within(20_000, 60_000);
  });

  it('is in the package with the licenses of all packages in it', () => {
    const licenses = readFileSync('dist/page/LICENSES.txt', 'utf8');
    for (const name of ['@preact/signals', '@preact/signals-core', 'diff', 'eventsource-parser', 'preact'])
      expect(licenses).to.match(new RegExp(`^${name}\\n\\n.*(MIT|BSD)`, 'im'));
  });

  it('has a stricter policy for all other responses', async () => {
    const { headers } = await open('/api/me');
    expect(headers.get('content-security-policy')).to.match(/^default-src 'none'; frame-ancestors/);
  });

  it('follows the rules for host and origin', async () => {
    expect((await open('/', { host: 'evil.example' })).status).to.equal(421);
    expect((await open('/page.js', { origin: 'http://evil.example' })).status).to.equal(403);
    expect((await open('/', { 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
  });

  it('has no inline script or style, and names no other host', async () => {
    const html = await (await open('/')).text();
    expect(html).to.not.match(/<script(?![^>]*\ssrc="page\.js")|<style|\sstyle=|\son[a-z]+=/i);
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, to]) => to?.split(',')[0])).to.deep.equal([
      'data:image/svg+xml',
      'page.css',
      'page.js',
    ]);
  });

  it('gives no access to the API, which requires the token', async () => {
    for (const path of ['/api/me', '/api/hooks/in-force', '/page', '/index.html', '/page.js/x'])
      expect((await open(path)).status, path).to.equal(401);
  });

  it('is disabled by default', async () => {
    const without = await anApi();
    expect((await without.server.fetch(new Request(`http://${HOST}/`))).status).to.equal(401);
    await without.close();
  });
});
