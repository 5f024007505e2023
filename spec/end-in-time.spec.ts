import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempFolder } from './temp-folder.ts';

describe('mocha', () => {
  for (const how of ['in one process', 'with workers']) {
    it(`exits although a spec left a resource open, and reports it (${how})`, () => {
      const folder = tempFolder('end-in-time');
      const spec = join(folder, 'open.spec.cjs');
      writeFileSync(spec, "it('opens', () => { require('node:net').createServer().listen(0, '127.0.0.1'); });");
      writeFileSync(join(folder, 'fine.spec.cjs'), "it('is fine', () => {});");
      const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
      const hooks = join('spec', 'end-in-time.ts');
      const { status, stdout } = spawnSync(
        process.execPath,
        [
          ...[mocha, '--no-config', '--require', 'ts-node/register', '--require', hooks],
          ...[...(how === 'with workers' ? ['--parallel'] : []), spec, join(folder, 'fine.spec.cjs')],
        ],
        // This spec may itself run in a worker.
        {
          encoding: 'utf8',
          timeout: 50_000,
          env: { ...process.env, MOCHA_WORKER_ID: undefined, HOOKLINE_LINGER_MS: '100' },
        },
      );
      expect(stdout).to.match(/2 passing/);
      expect(stdout).to.match(/1 failing/);
      expect(stdout).to.match(
        /something is still open: TCPServerWrap \(.*"address":"127.0.0.1".*\), in .*open\.spec\.cjs/,
      );
      expect(status).to.equal(1);
    });
  }
});
