import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventsOf, folder, hookline } from './hookline.ts';
import { warmHookline } from './warm-command.ts';

const hooks = folder({
  'respond.cjs': `const { assistantMessage, defineHook, respond } = require('hookline');
    module.exports = defineHook({ name: 'r', on: { preCall: (e) => respond(e, assistantMessage('No need to ask.')) } });`,
  'finish.cjs': `const { defineHook, finish } = require('hookline');
    module.exports = defineHook({ name: 'f', on: { postReasoning: (e) => finish(e) } });`,
  'abort.cjs': `const { abort, defineHook } = require('hookline');
    module.exports = defineHook({ name: 'a', on: { preActing: (e) => abort(e, 'that is enough') } });`,
  'throw.cjs': `const { defineHook } = require('hookline');
    module.exports = defineHook({ name: 't', on: { preReasoning: () => { throw new Error('oops') } } });`,
});
const scripts = folder({
  'out.json': '[{"toolCalls": [{"name": "list_files", "input": {}}]}]',
  'error.json': '[{"text": "Half an", "error": "the cable broke"}]',
});
const workspace = folder({ 'a.txt': 'hello' });

async function runBy(start: typeof warmHookline, args: readonly string[]) {
  const outcome = await start(['run', 'list the files in .', '--workspace', workspace, '--json', ...args]);
  return { ...outcome, post: eventsOf(outcome).at(-1) };
}

const run = (...args: readonly string[]) => runBy(warmHookline, args);
/** A completed and a failed run have a process of their own. */
const runAlone = (...args: readonly string[]) => runBy(hookline, args);

describe('the exit code of hookline run', () => {
  it('is 0 for a completed, responded or finished run', async () => {
    const [completed, responded, finished] = await Promise.all([
      runAlone(),
      run('--hooks', join(hooks, 'respond.cjs')),
      run('--hooks', join(hooks, 'finish.cjs')),
    ]);
    expect([completed.code, completed.post?.['outcome']]).to.deep.equal([0, 'completed']);
    expect([responded.code, responded.post?.['outcome']]).to.deep.equal([0, 'responded']);
    expect([finished.code, finished.post?.['outcome']]).to.deep.equal([0, 'finished']);
  });

  it('is 1 for a failed run: an exhausted script, a failed model or hook', async () => {
    const [out, model, hook] = await Promise.all([
      runAlone('--model', `script:${join(scripts, 'out.json')}`),
      run('--model', `script:${join(scripts, 'error.json')}`),
      run('--hooks', join(hooks, 'throw.cjs')),
    ]);
    for (const { code, post } of [out, model, hook]) expect([code, post?.['outcome']]).to.deep.equal([1, 'failed']);
    expect(out.stderr).to.include('the run failed: The script of the model has 1 turn, and all have been given');
    expect(model.stderr).to.include('the cable broke');
    // The log level is warn, and a failed hook is an error.
    expect(hook.stderr).to.include('"hook":"t"').and.include('oops');
  });

  it('is 3 for an aborted run and 5 for an exhausted one', async () => {
    const [aborted, exhausted, silent] = await Promise.all([
      run('--hooks', join(hooks, 'abort.cjs')),
      run('--max-iterations', '1'),
      run('--hooks', join(hooks, 'throw.cjs'), '--log-level', 'silent'),
    ]);
    expect([aborted.code, aborted.post?.['outcome']]).to.deep.equal([3, 'aborted']);
    expect([exhausted.code, exhausted.post?.['outcome']]).to.deep.equal([5, 'exhausted']);
    expect(silent.stderr).to.not.include('"hook"');
  });

  it('is 2, reported at once, if the directory of the audit log cannot be created', async function () {
    if (!existsSync('/proc/self')) {
      console.log('      passed over: there is no /proc');
      this.skip();
    }
    const { code, stderr } = await hookline(['run', 'hi', '--workspace', folder()], {
      env: { XDG_STATE_HOME: '/proc/nope' },
      // It used to loop forever.
      timeout: 15_000,
      killSignal: 'SIGKILL',
    });
    expect(stderr).to.match(
      /^error: \(always on\) hooks\.audit-log: Cannot open the audit file "\/proc\/nope\/[^\n]* for appending: ENOENT/,
    );
    expect(code).to.equal(2);
  });
});

describe('the exit code of a command whose module of hooks', () => {
  const modules: readonly [what: string, source: string][] = [
    ['ends the process', 'process.exit(0);'],
    ['never finishes loading', 'await new Promise(() => {});'],
  ];
  for (const [what, source] of modules)
    it(`${what} is not 0`, async () => {
      const cwd = folder({ 'c.yaml': 'hooks: { a: { type: module, path: ./m.mjs } }', 'm.mjs': source });
      const calls = [
        ['check', 'c.yaml'],
        ['mcp', '--config', 'c.yaml', '--', 'cat'],
        ['run', 'hi', '--config', 'c.yaml'],
      ];
      for (const { code, stdout, stderr } of await Promise.all(calls.map((args) => hookline(args, { cwd })))) {
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.include('error: the process ended before the command did.');
      }
    });

  it('keeps the process alive while it loads is 2, after 30 s', async () => {
    const cwd = folder({
      'c.yaml': 'hooks: { a: { type: module, path: ./m.mjs } }',
      'm.mjs': 'setInterval(() => {}, 1_000); await new Promise(() => {});',
      'fast.cjs': 'const usual = setTimeout; globalThis.setTimeout = (act, ms) => usual(act, ms === 30_000 ? 50 : ms);',
    });
    const env = { NODE_OPTIONS: `--require ${join(cwd, 'fast.cjs')}` };
    const calls = [
      ['check', 'c.yaml'],
      ['explain', '--tool', 'read_file', '--config', 'c.yaml'],
      ['mcp', '--config', 'c.yaml', '--', 'cat'],
      ['run', 'hi', '--hooks', './m.mjs'],
      ['serve', '--port', '0', '--config', 'c.yaml'],
    ];
    const limits = { cwd, env, timeout: 120_000, killSignal: 'SIGKILL' } as const;
    for (const { code, stdout, stderr } of await Promise.all(calls.map((args) => hookline(args, limits)))) {
      expect(stdout + stderr).to.include('the module cannot be loaded: ./m.mjs did not finish within 30 s.');
      expect(code).to.equal(2);
    }
  });
});
