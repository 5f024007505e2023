import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startLineProcess } from '../../lib/process-hooks/line-process.ts';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('a program that exchanges lines', () => {
  it('does not keep the host alive after it has ended', async () => {
    const program = { command: [process.execPath, '-e', '0'], env: process.env, maxLine: 100, maxUnread: 100 };
    await sleep(5);
    const before = timers();
    let how = '';
    startLineProcess(program, {
      line() {},
      overlong() {},
      log() {},
      ended(why) {
        how = why;
      },
    });
    while (how === '') await sleep(5);
    expect([how, timers() - before]).to.deep.equal(['exited with code 0', 0]);
  });
});
