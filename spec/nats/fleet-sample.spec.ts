import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { root } from '../cli/hookline.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer } from './a-nats-server.ts';

describe('samples/fleet/three-servers.ts', function () {
  this.timeout(60_000);
  before(async function () {
    const nats = await aNatsServer();
    await nats?.kill();
    if (!nats) this.skip();
  });

  /** Starts it with a process group and a temporary folder of its own. */
  function started(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const temp = tempFolder('fleet-sample');
    const all = ['-r', 'ts-node/register', 'samples/fleet/three-servers.ts', ...words];
    const child = spawn(process.execPath, all, {
      cwd: root,
      env: { ...process.env, TMPDIR: temp, ...env },
      detached: true,
    });
    const ended = once(child, 'close');
    let [output, errors] = ['', ''];
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (errors += text));
    const group = -(child.pid ?? 0);
    return {
      child,
      outcome: async () => ({ code: (await ended)[0], output, errors }),
      /** Waits until neither a process nor a file is left. */
      async nothingLeft() {
        await ended;
        const lives = () => {
          try {
            return process.kill(group, 0);
          } catch {
            return false;
          }
        };
        for (let tries = 100; tries > 0 && lives(); tries -= 1) await sleep(50);
        const left = lives();
        if (left) process.kill(group, 'SIGKILL');
        expect(left, 'processes that are left').to.equal(false);
        expect(readdirSync(temp).filter((name) => name.startsWith('hookline-fleet-'))).to.deep.equal([]);
      },
    };
  }

  it('does what the guide describes', async () => {
    const { outcome, nothingLeft } = started(['--walk']);
    const { code, output, errors } = await outcome();
    expect(output.trim().split('\n'), errors).to.deep.equal([
      'A runs the agent, and B shows its pending call: delete_file',
      'C was killed, B took the answer, and A shows the end of the run: completed',
      'notes.txt exists: false',
    ]);
    expect(code).to.equal(0);
    await nothingLeft();
  });

  it('leaves nothing at Ctrl-C, at any moment', async () => {
    for (const ms of [900, 1_300, 1_700, 2_500, 4_000]) {
      const { child, outcome, nothingLeft } = started([]);
      await sleep(ms);
      expect(child.kill('SIGINT')).to.equal(true);
      await outcome();
      await nothingLeft();
    }
  });

  it('says that nats-server is missing', async () => {
    const path = [dirname(process.execPath), '/bin'].filter((folder) => !existsSync(`${folder}/nats-server`)).join(':');
    const { outcome, nothingLeft } = started([], { PATH: path });
    const { code, errors } = await outcome();
    expect([code, errors.trim()]).to.deep.equal([
      1,
      'nats-server does not start (spawn nats-server ENOENT). Is it installed?',
    ]);
    await nothingLeft();
  });
});
