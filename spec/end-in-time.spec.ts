import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempFolder } from './temp-folder.ts';

describe('mocha', () => {
  it('ends although a spec has left something open, and says what', () => {
    const spec = join(tempFolder('end-in-time'), 'open.spec.cjs');
    writeFileSync(spec, "it('opens', () => { require('node:net').createServer().listen(0, '127.0.0.1'); });");
    const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
    const hooks = join('spec', 'end-in-time.ts');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [mocha, '--no-config', '--require', 'ts-node/register', '--require', hooks, spec],
      { encoding: 'utf8', env: { ...process.env, HOOKLINE_LINGER_MS: '100' } },
    );
    expect(stdout).to.match(/1 passing/);
    expect(stderr).to.match(/keeps this process from ending: .*TCPServerWrap/);
    expect(status).to.equal(1);
  });
});
