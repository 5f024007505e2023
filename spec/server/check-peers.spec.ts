import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { environment, folder, fromSource, root } from '../cli/hookline.ts';

/** Hides a package, as if it were not installed. */
const hiding = (name: string) => `
const { Module } = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  if (request === '${name}' || request.startsWith('${name}/'))
    throw Object.assign(new Error('Cannot find module ' + request), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(Module, request, ...rest);
};`;

const TO_INSTALL = 'needs the packages hono and @hono/node-server. Run: npm install hono @hono/node-server';

describe('server without its optional peers', () => {
  const at = folder({ 'hono/hide.js': hiding('hono'), 'node-server/hide.js': hiding('@hono/node-server') });
  const [node = '', ...main] = fromSource;
  const options = main.slice(0, -1);
  const start = (peer: string, ...args: string[]) =>
    spawnSync(node, ['-r', join(at, peer, 'hide.js'), ...args], { cwd: root, env: environment(), encoding: 'utf8' });

  for (const peer of ['hono', 'node-server']) {
    it(`reports what to install for hookline/server without ${peer}`, () => {
      const code = `try { require('hookline/server') } catch ({ code, message }) { console.log(code, message) }`;
      const { stdout } = start(peer, ...options, '-e', code);
      expect(stdout)
        .to.match(/^INPUT_INVALID /)
        .and.include(TO_INSTALL);
    });
  }

  it('reports it for hookline serve and hookline token, with exit code 2', () => {
    for (const args of [['serve'], ['token', 'list']]) {
      const { status, stderr } = start('hono', ...main, ...args);
      expect(stderr)
        .to.match(/^error: /)
        .and.include(TO_INSTALL);
      expect(status).to.equal(2);
    }
  });
});
