import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { signalGroup } from '../../lib/processes/signal-group.ts';
import { groupLives } from '../../lib/processes/spawn-group.ts';

describe('groupLives', () => {
  it('distinguishes a running group from an ended one', async () => {
    const child = spawn('sleep', ['5'], { detached: true, stdio: 'ignore' });
    expect(await groupLives(child.pid!)).to.equal(true);
    child.kill();
    await once(child, 'exit');
    expect(await groupLives(child.pid!)).to.equal(false);
  });

  it('ignores zombies', async function () {
    if (process.platform !== 'linux') {
      console.log('      passed over: needs the process table of Linux');
      this.skip();
    }
    // The shell becomes a program that never reaps its child.
    const parent = spawn('/bin/sh', ['-c', `setsid sh -c 'echo $$' & exec sleep 5`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [text] = await once(parent.stdout, 'data');
    const group = Number(String(text));
    while (await groupLives(group)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(signalGroup(group, 0)).to.equal(true);
    parent.kill();
    await once(parent, 'exit');
  });
});
