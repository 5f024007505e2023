import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { environment, fromSource, root } from './hookline.ts';

/** What a program prints that ends itself with code 3, and how it ends. */
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
  it('ends at once where nothing is open', () => {
    const { status, stdout } = ended(`process.on('beforeExit', () => console.log('waited')); console.log('done');`);
    expect([status, stdout]).to.deep.equal([3, 'done\n']);
  });

  it('writes all output first', () => {
    const { status, stdout } = ended(`console.log('x'.repeat(1_000_000));`);
    expect([status, stdout.length]).to.deep.equal([3, 1_000_001]);
  });

  it('lets what is open close', () => {
    expect(ended(`setTimeout(() => console.log('closed'), 50);`)).to.deep.equal({ status: 3, stdout: 'closed\n' });
  });

  it('does not wait for what stays open', () => {
    expect(ended(`setInterval(() => {}, 50);`)).to.deep.equal({ status: 3, stdout: '' });
  });
});
