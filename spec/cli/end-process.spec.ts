import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { environment, fromSource, root } from './hookline.ts';

/** Output and exit of a program that ends itself with code 3. */
function ended(program: string): { readonly status: number | null; readonly stdout: string } {
  const [node = '', ...before] = fromSource.slice(0, -1);
  const code = `const { endProcess } = require('./lib/cli/end-process'); ${program} void endProcess(3);`;
  const { status, stdout } = spawnSync(node, [...before, '-e', code], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
  });
  return { status, stdout };
}

describe('endProcess', () => {
  it('exits at once if nothing is open', () => {
    const { status, stdout } = ended(`process.on('beforeExit', () => console.log('waited')); console.log('done');`);
    expect([status, stdout]).to.deep.equal([3, 'done\n']);
  });

  it('writes all output first', () => {
    const { status, stdout } = ended(`console.log('x'.repeat(1_000_000));`);
    expect([status, stdout.length]).to.deep.equal([3, 1_000_001]);
  });

  it('gives open handles time to close', () => {
    expect(ended(`setTimeout(() => console.log('closed'), 50);`)).to.deep.equal({ status: 3, stdout: 'closed\n' });
  });

  it('does not wait for handles that stay open', () => {
    expect(ended(`setInterval(() => {}, 50);`)).to.deep.equal({ status: 3, stdout: '' });
  });
});
