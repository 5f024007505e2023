import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isAlive } from '../../../../lib/processes/is-alive.ts';
import { isBuilt } from '../../../is-built.ts';
import { environment, folder, root } from '../../hookline.ts';

const LIST = `const threads = require('node:worker_threads');
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...words) {
    super(...words);
    require('node:fs').appendFileSync(process.env.TO, 'thread ');
  }
};`;
const MODULE = `require('node:fs').appendFileSync(process.env.TO, 'module ' + process.pid);
module.exports = require('hookline').defineHook({ name: 'spins', approve: ({ toolCall }) => {
  if (toolCall.input.command === 'spin') for (;;);
  return require('hookline').verdict.allow();
} });`;

function bed() {
  const cwd = folder({ 'list.cjs': LIST, 'hooks.cjs': MODULE });
  const to = join(cwd, 'log');
  const hook = (...words: readonly string[]) => [
    ...['-r', join(cwd, 'list.cjs'), join(root, 'dist/cli/main.js'), 'hook', '--as', 'claude', ...words],
  ];
  const event = (command: string) =>
    JSON.stringify({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      cwd,
      tool_name: 'Bash',
      tool_input: { command },
    });
  return {
    hook,
    event,
    options: { cwd, env: environment({ TO: to }) },
    log: () => (existsSync(to) ? readFileSync(to, 'utf8') : ''),
  };
}

describe('the thread that ends a worker without a front', () => {
  before(function () {
    if (isBuilt()) return;
    console.log('      skipped: the command is not built');
    this.skip();
  });

  it('starts before the first module of a call', () => {
    const { hook, event, options, log } = bed();
    spawnSync(process.execPath, hook('--hooks', './hooks.cjs'), { ...options, input: event('ls') });
    expect(log()).to.match(/^thread module \d+$/);
  });

  it('starts for matchers of Claude Code settings, which are regular expressions', () => {
    const { hook, event, options, log } = bed();
    const settings = {
      hooks: { PreToolUse: [{ matcher: '^x(a+)+$', hooks: [{ type: 'command', command: 'true' }] }] },
    };
    writeFileSync(join(options.cwd, 'settings.json'), JSON.stringify(settings));
    spawnSync(process.execPath, hook('--config', 'settings.json'), { ...options, input: event('ls') });
    expect(log()).to.equal('thread ');
  });

  it('does not start for a call with built-in hooks alone', () => {
    const { hook, event, options, log } = bed();
    const { stdout } = spawnSync(process.execPath, hook('--preset', 'safe'), {
      ...options,
      input: event('ls'),
      encoding: 'utf8',
    });
    expect([stdout.includes('"permissionDecision"'), log()]).to.deep.equal([true, '']);
  });

  if (process.env['HOOKLINE_SOAK'])
    it('kills a worker that a module keeps busy', async () => {
      const { hook, event, options, log } = bed();
      const front = spawn(process.execPath, hook('--hooks', './hooks.cjs'), {
        ...options,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      front.stdin.end(event('spin'));
      while (!log().includes('module')) await sleep(50);
      const worker = Number(log().split(' ').at(-1));
      await sleep(2_000);
      front.kill('SIGKILL');
      await once(front, 'exit');
      expect(isAlive(worker)).to.equal(true);
      for (let waited = 0; isAlive(worker) && waited < 30_000; waited += 200) await sleep(200);
      expect(isAlive(worker)).to.equal(false);
    }).timeout(60_000);
});
