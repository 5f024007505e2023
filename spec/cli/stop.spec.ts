import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventsOf, folder, outcomeOf, start } from './hookline.ts';

const state = folder();
const workspace = folder();
const slow = ['run', 'run sleep 60', '--workspace', workspace, '--json'];

/** Waits until a line of stdout contains `part`. */
async function printed(child: ChildProcess, part: string): Promise<void> {
  for await (const line of createInterface(child.stdout!)) if (line.includes(part)) return;
}

async function stopped(signal: NodeJS.Signals) {
  const child = start(slow, { env: { XDG_STATE_HOME: state } });
  child.stdout?.on('data', (data) => String(data).includes('"preActing"') && child.kill(signal));
  return outcomeOf(child);
}

describe('hookline run, stopped from outside', () => {
  it('exits with 130 on Ctrl-C and 143 on SIGTERM, after one postCall and the audit log', async () => {
    const [interrupted, terminated] = await Promise.all([stopped('SIGINT'), stopped('SIGTERM')]);
    expect(interrupted.code).to.equal(130);
    expect(terminated.code).to.equal(143);
    for (const outcome of [interrupted, terminated]) {
      const posts = eventsOf(outcome).filter(({ type }) => type === 'postCall');
      expect(posts.map((post) => post['outcome'])).to.deep.equal(['cancelled']);
      const audit = readFileSync(/^audit: (.+)$/m.exec(outcome.stderr)?.[1] ?? '', 'utf8')
        .trimEnd()
        .split('\n');
      expect(JSON.parse(audit.at(-1) ?? '')).to.include({ msg: 'call_end', outcome: 'cancelled' });
    }
  });

  it('exits at once on a second Ctrl-C, even if a hook still runs', async () => {
    const hook = join(
      folder({
        'stuck.cjs': `const { defineHook } = require('hookline');
          const observe = (e) => e.type === 'postCall' ? new Promise(() => setInterval(() => {}, 1000)) : undefined;
          module.exports = defineHook({ name: 'stuck', timeoutMs: 600_000, observe });`,
      }),
      'stuck.cjs',
    );
    const child = start([...slow, '--hooks', hook]);
    await printed(child, '"preActing"');
    child.kill('SIGINT');
    await printed(child, '"postCall"');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).to.equal(130);
  });

  it('exits quietly when the reader of its output is gone', async () => {
    const child = start(['run', 'list the files in . then run "sleep 60"', '--workspace', workspace, '--json']);
    let stderr = '';
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
    // Like `| head -1`.
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [code] = await once(child, 'exit');
    expect(code).to.equal(141);
    expect(stderr).to.match(/^audit: .+\n$/);
  });

  it('fails when its output cannot be written', async function () {
    if (process.platform !== 'linux') {
      console.log('      passed over: needs /dev/full, which only Linux has');
      this.skip();
    }
    const full = openSync('/dev/full', 'w');
    const child = start(['run', 'x', '--json'], { stdio: ['ignore', full, 'pipe'] });
    let stderr = '';
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
    const [code] = await once(child, 'exit');
    closeSync(full);
    expect(code).to.equal(1);
    expect(stderr.match(/error: stdout: ENOSPC/g)).to.have.length(1);
  });
});
