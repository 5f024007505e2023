import { once } from 'node:events';
import { chmodSync, chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from '../../../../lib/index.ts';
import { claudeHooks } from '../../../../lib/process-hooks/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../../../lib/testing/index.ts';
import { command, environment, hookline, outcomeOf, start } from '../../hookline.ts';
import { daemonBed, isAlive, parentOf, until } from './daemon-bed.ts';

type Bed = ReturnType<typeof daemonBed>;
const decisionOf = (stdout: string) => (stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.permissionDecision);

/** The longest wait for timeouts of 10 and 20 seconds, which a busy machine needs. disturbed.spec.ts blocks the event loop of a worker, too. */
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

describe('hookline hook --as claude --daemon', function () {
  this.timeout(180_000);
  const beds: Bed[] = [];
  const bed = (options?: Parameters<typeof daemonBed>[0]): Bed => {
    const made = daemonBed(options);
    beds.push(made);
    return made;
  };
  afterEach(async () => {
    for (const one of beds.splice(0)) await one.end();
  });

  it('evaluates the first call itself and the others in one daemon, with the same answers', async () => {
    const { ask, daemon, judgesOf } = bed();
    const first = await ask('rm x');
    const judge = await daemon();
    expect(judgesOf('rm x')).to.not.include(judge);
    const later = await ask('rm x');
    expect(later).to.deep.equal(first);
    expect([later.code, decisionOf(later.stdout)]).to.deep.equal([2, 'deny']);
    expect(judgesOf('rm x').at(-1)).to.equal(judge);
  });

  it('has one daemon, however many clients start at once', async () => {
    const { ask, daemon, alive, listening } = bed();
    const all = await Promise.all([1, 2, 3, 4].map(() => ask('rm x')));
    expect(all.map(({ code, stdout }) => [code, decisionOf(stdout)])).to.deep.equal(all.map(() => [2, 'deny']));
    const judge = await daemon();
    await until(() => alive().length === 1);
    expect(alive()).to.deep.equal([judge]);
    expect(listening()).to.have.length(1);
  });

  it('applies a changed configuration to the next call, and denies with a broken one', async () => {
    const { ask, daemon, write } = bed();
    await daemon();
    expect(decisionOf((await ask('cat x')).stdout)).to.equal('');
    write('hookline.yaml', 'hooks:\n  permission: { type: permission, options: { deny: ["run_command(cat:*)"] } }\n');
    expect(decisionOf((await ask('cat x')).stdout)).to.equal('deny');
    await daemon();
    write('hookline.yaml', 'hooks:\n  permission: { type: permision }\n');
    for (const _ of [1, 2]) {
      const broken = await ask('cat x');
      expect([broken.code, decisionOf(broken.stdout)]).to.deep.equal([2, 'deny']);
      expect(broken.stderr).to.contain('permision');
    }
  });

  if (SOAK)
    it('allows with a broken configuration only with --fail-open', async () => {
      const { ask, daemon, write } = bed({ args: ['--fail-open'] });
      await daemon();
      write('hookline.yaml', 'hooks:\n  permission: { type: permision }\n');
      const broken = await ask('rm x');
      expect([broken.code, broken.stdout]).to.deep.equal([1, '']);
    });

  if (SOAK)
    it('loads a changed module and the modules that it imports', async () => {
      const { ask, daemon, write } = bed();
      const before = await daemon();
      write('words.cjs', 'exports.words = { echo: "said otherwise" };');
      expect((await ask('echo')).stdout).to.contain('said otherwise');
      expect(await daemon()).to.not.equal(before);
      expect((await ask('echo')).stdout).to.contain('said otherwise');
      write('more.mjs', 'export const more = { date: "no dates" };');
      expect((await ask('date')).stdout).to.contain('no dates');
    });

  if (SOAK)
    it('loads a changed file of a package of hooks', async () => {
      const { ask, daemon, write } = bed({
        config: 'hooks: { words: { type: module, path: forbidden-words } }\n',
        files: {
          'node_modules/forbidden-words/index.js': `
const { words } = require('./words');
const { defineHook, deny } = require('hookline');
const preActing = (event) => (words.includes(event.toolCall.input.command) ? deny(event, 'a forbidden word') : event);
module.exports = defineHook({ name: 'forbidden', on: { preActing } });`,
          'node_modules/forbidden-words/words.js': 'exports.words = [];',
        },
      });
      await daemon();
      expect((await ask('echo')).stdout).to.not.contain('forbidden');
      write('node_modules/forbidden-words/words.js', 'exports.words = ["echo"];');
      expect((await ask('echo')).stdout).to.contain('a forbidden word');
    });

  if (SOAK)
    it('starts another daemon for another environment', async () => {
      const { ask, daemon } = bed();
      await daemon();
      const env = { HOUSE: 'not in this house' };
      const judge = await daemon({ env });
      expect(decisionOf((await ask('HOUSE')).stdout)).to.equal('');
      expect((await ask('HOUSE', { env })).stdout).to.contain('not in this house');
      expect(isAlive(judge)).to.equal(true);
    });

  it('ends after the idle timeout and removes its socket', async () => {
    const { daemon, listening, alive } = bed({ args: ['--idle', '5'] });
    await daemon();
    await until(() => listening().length === 0 && alive().length === 0);
  });

  it('denies a call that ends the worker, without a retry, and continues with the next', async () => {
    const { call, ask, daemon, judgesOf, listening } = bed();
    const judge = await daemon();
    const { outcome } = call('slow');
    await until(() => judgesOf('slow').length === 1);
    process.kill(judge, 'SIGKILL');
    const { code, stdout, stderr } = await outcome;
    expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
    expect(stderr).to.contain('the process of the hooks ended early (SIGKILL)');
    expect(judgesOf('slow')).to.deep.equal([judge]);
    expect(listening()).to.have.length(1);
    expect(decisionOf((await ask('rm x')).stdout)).to.equal('deny');
    expect(await daemon()).to.not.equal(judge);
  });

  if (SOAK)
    it('withholds an output that ends the worker', async () => {
      const { call, daemon, judgesOf } = bed();
      const judge = await daemon();
      const { outcome } = call('slow', { hook_event_name: 'PostToolUse', tool_response: { stdout: 'raw' } });
      await until(() => judgesOf('result of slow').length === 1);
      process.kill(judge, 'SIGKILL');
      const { code, stdout } = await outcome;
      expect(code).to.equal(0);
      expect(stdout).to.contain('withheld').and.to.contain('ended early').and.to.not.contain('raw');
      expect(judgesOf('result of slow')).to.deep.equal([judge]);
    });

  if (SOAK)
    it('is replaced if it hangs, without delaying calls', async () => {
      const { ask, daemon, judgesOf } = bed();
      const judge = await daemon();
      process.kill(judge, 'SIGSTOP');
      expect(decisionOf((await ask('rm x')).stdout)).to.equal('deny');
      expect(judgesOf('rm x')).to.have.length(1).and.to.not.include(judge);
      expect(await daemon()).to.not.equal(judge);
      await until(() => !isAlive(judge));
    });

  if (SOAK)
    it('is killed if a hook blocks the event loop', async () => {
      const { ask, daemon } = bed({ args: ['--timeout', '10'] });
      const judge = await daemon();
      const { code, stdout, stderr } = await ask('hang');
      expect([code, decisionOf(stdout)]).to.deep.equal([2, 'deny']);
      expect(stderr).to.contain('longer than 10000 ms');
      await until(() => !isAlive(judge));
    });

  it('finishes a call when it is stopped, then exits', async () => {
    const { call, write, daemon, judgesOf, listening } = bed();
    const judge = await daemon();
    const { outcome } = call('slow');
    await until(() => judgesOf('slow').length === 1);
    process.kill(parentOf(judge), 'SIGTERM');
    await until(() => listening().length === 0);
    write('go', '');
    const { code, stdout } = await outcome;
    expect([code, stdout]).to.deep.equal([0, '']);
    await until(() => !isAlive(judge));
  });

  it('denies a call that a signal ends, and continues', async () => {
    const { call, daemon, judgesOf } = bed();
    const judge = await daemon();
    for (const [at, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
      const { child, outcome } = call('slow');
      await until(() => judgesOf('slow').length === at + 1);
      child.kill(signal);
      const { code, stderr } = await outcome;
      expect(code).to.equal(2);
      expect(stderr).to.contain(signal);
    }
    expect(await daemon()).to.equal(judge);
  });

  if (SOAK)
    it('denies a call after its own timeout and after an unhandled error', async () => {
      const { ask, daemon, judgesOf } = bed({ args: ['--timeout', '20'] });
      const judge = await daemon();
      const stray = await ask('stray');
      expect([stray.code, decisionOf(stray.stdout)]).to.deep.equal([2, 'deny']);
      expect(stray.stderr).to.contain('stray');
      // Other parts of it may have failed, too.
      expect(await daemon()).to.not.equal(judge);
      const late = await ask('slow');
      expect(late.code).to.equal(2);
      expect(late.stderr).to.contain('longer than 20000 ms');
      expect(judgesOf('slow')).to.have.length(1);
    });

  if (SOAK)
    it('exits if its hooks never load, and the next call loads them again', async () => {
      const { ask, listening, write, dir } = bed({ args: ['--hooks', './waits.mjs', '--timeout', '20'] });
      write(
        'waits.mjs',
        `import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineHook } from 'hookline';
appendFileSync('loaded', process.pid + '\\n');
while (!existsSync('free')) await sleep(600_000);
export default defineHook({ name: 'waits', observe() {} });`,
      );
      write('free', '');
      await ask('ls');
      await until(() => listening().length === 1);
      rmSync(join(dir, 'free'));
      const late = await ask('ls');
      expect([late.code, late.stderr.includes('longer than 20000 ms')]).to.deep.equal([2, true]);
      write('free', '');
      let next = await ask('ls');
      // On a busy machine the first call had less than the ten seconds that count as stuck. The second one has them.
      if (next.code !== 0) next = await ask('ls');
      expect([next.code, next.stderr]).to.deep.equal([0, '']);
    });

  if (SOAK)
    it('does not start next to many others, and removes sockets of dead daemons', async () => {
      const { ask, daemon, alive, judgesOf, sockets, listening } = bed();
      const judge = await daemon();
      process.kill(parentOf(judge), 'SIGKILL');
      const [dead = ''] = listening();
      renameSync(join(sockets, dead), join(sockets, 'dead'));
      const others = await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const server = createServer((socket) => socket.destroy()).listen(join(sockets, `other-${index}`));
          await once(server, 'listening');
          return server;
        }),
      );
      await ask('rm x');
      await until(() => !listening().includes('dead'));
      await ask('rm x');
      expect(new Set(judgesOf('rm x')).size).to.equal(2);
      await until(() => alive().length === 0);
      expect(listening().every((name) => name.startsWith('other-'))).to.equal(true);
      await Promise.all(others.map((server) => once(server.close(), 'close')));
    });

  it('denies if the event does not arrive in time', async () => {
    const { dir, runtime, words } = bed({ args: ['--timeout', '2'] });
    const child = start(words, { cwd: dir, env: { XDG_RUNTIME_DIR: runtime } });
    const { code, stdout, stderr } = await outcomeOf(child);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.contain('longer than 2000 ms');
  });

  it('evaluates the call itself, with the reason, if other users could own the socket', async () => {
    const { daemon, ask, sockets, listening, judgesOf } = bed();
    const judge = await daemon();
    expect(statSync(sockets).mode & 0o777).to.equal(0o700);
    const socket = join(sockets, listening()[0] ?? '');
    const distrusts = async (what: string) => {
      const { code, stdout, stderr } = await ask('rm x');
      expect([what, code, decisionOf(stdout)]).to.deep.equal([what, 2, 'deny']);
      expect(stderr).to.contain('without its daemon').and.to.contain(sockets);
    };
    chmodSync(sockets, 0o770);
    await distrusts('a folder that others may use');
    chmodSync(sockets, 0o700);
    if (process.getuid?.() === 0) {
      chownSync(sockets, 65_534, 65_534);
      await distrusts('a folder of another user');
      chownSync(sockets, 0, 0);
      chownSync(socket, 65_534, 65_534);
      await distrusts('a socket of another user');
    } else console.log('      only root can give files away: other users are not tried');
    rmSync(socket);
    writeFileSync(socket, '');
    await distrusts('a file in the place of a socket');
    expect(judgesOf('rm x')).to.not.include(judge);
  });

  it('counts limits over calls of a session in any process, and separately per session', async () => {
    const { ask, daemon } = bed({
      config:
        'hooks:\n  limit: { type: rate-limit, options: { limits: [{ tools: [Count], max: 3, windowMs: 3600000 }] } }\n',
    });
    const count = async (session_id: string) => decisionOf((await ask('x', { tool_name: 'Count', session_id })).stdout);
    expect([await count('a'), await count('a')]).to.deep.equal(['', '']);
    await daemon();
    expect([await count('a'), await count('a'), await count('b')]).to.deep.equal(['', 'deny', '']);
  });

  if (SOAK)
    it('guards an agent that runs Claude Code hooks with the settings of --install', async () => {
      const { dir, runtime, words, judgesOf } = bed();
      const { stdout } = await hookline([...words, '--install'], { cwd: dir });
      const printed = stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1);
      // From source, node needs additional options.
      const line = command.map((part) => `'${part}'`).join(' ');
      const settings = JSON.parse(printed.replaceAll(`node ${command.at(-1)}`, line));
      const env = environment({ XDG_RUNTIME_DIR: runtime }) as never;
      const hooks = claudeHooks(settings, { cwd: dir, env });
      const tool = scriptedTool({ name: 'run_command', result: 'ran' });
      const model = scriptedModel([
        { toolCalls: [{ name: 'run_command', input: { command: 'rm x' } }] },
        { toolCalls: [{ name: 'run_command', input: { command: 'pwd' } }] },
        { toolCalls: [{ name: 'run_command', input: { command: 'rm y' } }] },
        { toolCalls: [{ name: 'run_command', input: { command: 'pwd' } }] },
        'done',
      ]);
      const recorded = recorder();
      const agent = createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([hooks, recorded]) });
      await agent.call('go');
      expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ command: 'pwd' }, { command: 'pwd' }]);
      expect(judgesOf('pwd')).to.have.length(2);
      expect(judgesOf('result of pwd')).to.have.length(2);
    });
});
