import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { command, environment, eventsOf, folder, outcomeOf, root } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

const hook = join(
  folder({
    'asks.cjs': `const { defineHook, verdict } = require('hookline');
      const approve = ({ toolCall }) => (toolCall.name === 'read_file' ? verdict.suspend('Read it?') : verdict.allow());
      module.exports = defineHook({ name: 'asks', approve });`,
  }),
  'asks.cjs',
);
const files = { 'a.txt': 'hello', 'b.txt': 'there' };

function outcomesOf(outcome: { stdout: string }): unknown[] {
  const events = eventsOf(outcome).filter(({ type }) => type === 'postCall' || type === 'postActing');
  return events.map((event) => event['outcome']);
}

/** Runs in a separate pseudo-terminal. `keys` are typed when the output requests them. */
async function onTerminal(
  args: readonly string[],
  keys: readonly (readonly [shows: RegExp, types: string])[],
  env: NodeJS.ProcessEnv = {},
) {
  const line = `exec ${[...command, ...args].map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: root, stdio: 'pipe', env: environment(env) });
  const left = [...keys];
  let seen = '';
  child.stdout.on('data', (data) => {
    seen += data;
    if (!left[0]?.[0].test(seen)) return;
    child.stdin.write(left.shift()?.[1] ?? '');
    seen = '';
  });
  const { code, stdout } = await outcomeOf(child);
  return { code, text: stdout.replaceAll('\r\n', '\n') };
}

describe('hookline run --approve', () => {
  it('answers every approval prompt with yes or no, of dangerous-confirmation and the user’s hooks', async () => {
    const ask = async (...args: readonly string[]) => {
      const workspace = folder(files);
      const prompt = ['run', 'read b.txt then delete a.txt', '--workspace', workspace, '--hooks', hook, '--json'];
      return { ...(await hookline([...prompt, ...args])), kept: existsSync(join(workspace, 'a.txt')) };
    };
    const [yes, no, nobody] = await Promise.all([ask('--approve', 'yes'), ask('--approve', 'no'), ask()]);
    expect(outcomesOf(yes)).to.deep.equal(['suspended', 'executed', 'executed', 'completed']);
    expect(yes).to.include({ code: 0, kept: false });
    for (const { code, stdout, kept } of [no, nobody]) {
      expect(outcomesOf({ stdout })).to.deep.equal(['suspended', 'denied', 'denied', 'completed']);
      expect({ code, kept }).to.deep.equal({ code: 0, kept: true });
    }
    expect(no.stdout).to.include('--approve no denies every prompt');
    expect(nobody.stdout).to.include('there is no terminal');
    // A resumed run is shown as a separate run that continues the first.
    const [first, second] = eventsOf(yes).filter(({ type }) => type === 'preCall') as { run: Record<string, string> }[];
    expect(second?.run).to.include({ resumedFrom: first?.run['runId'], sessionId: first?.run['sessionId'] });
  });

  it('suspends the run with exit code 4 if there is no terminal to ask on', async () => {
    const workspace = folder(files);
    const run = (prompt: string, ...args: readonly string[]) =>
      hookline(['run', prompt, '--workspace', workspace, '--approve', 'ask', '--json', ...args]);
    const outcomes = await Promise.all([run('delete a.txt'), run('read a.txt', '--hooks', hook)]);
    for (const outcome of outcomes) {
      expect(outcome.code).to.equal(4);
      expect(outcomesOf(outcome)).to.deep.equal(['suspended']);
      expect(eventsOf(outcome).at(-1)).to.have.property('snapshot');
      expect(outcome.stderr).to.include('there is no terminal for it');
    }
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).to.equal('hello');
  });

  describe('on a terminal', () => {
    before(function () {
      if (spawnSync('script', ['--version']).stdout?.includes('util-linux')) return;
      console.log('      passed over: there is no `script` of util-linux to make a pseudo-terminal with');
      this.skip();
    });

    it('shows prompts of dangerous-confirmation and the user’s hooks in colour', async () => {
      const workspace = folder(files);
      const { code, text } = await onTerminal(
        ['run', 'read b.txt then delete a.txt', '--workspace', workspace, '--hooks', hook],
        [
          [/asks asks:\n? *\r?\n? *Read it\? \[y\/N, e: edit\] /, 'y\n'],
          [/May it run\? \[y\/N, e: edit\] /, 'y\n'],
        ],
      );
      expect(code, text).to.equal(0);
      expect(text).to.include('\u001b[36m→ delete_file {"path":"a.txt"}\u001b[39m').and.include('● completed');
      expect(text).to.include('Agent hookline wants to call read_file {"path":"b.txt"');
      expect(existsSync(join(workspace, 'a.txt'))).to.equal(false);
      const log = /\S+audit\.jsonl/.exec(text)?.[0] ?? '';
      const notes = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"answered"'));
      const { by, data } = JSON.parse(notes.at(-1) ?? '{}');
      expect({ by, data }).to.deep.equal({
        by: 'dangerous-confirmation',
        data: { action: 'approve', by: `${userInfo().username} on the terminal` },
      });
    });

    it('treats Ctrl-C as the end, not as an answer, and prints no colour with NO_COLOR', async () => {
      const workspace = folder(files);
      const args = ['run', 'delete a.txt', '--workspace', workspace];
      const stopped = await onTerminal(args, [[/May it run\? \[y\/N, e: edit\] /, '\u0003']], { NO_COLOR: '1' });
      expect(stopped.code, stopped.text).to.equal(130);
      expect(stopped.text)
        .to.include('(The approval prompt is retracted.)')
        .and.match(/● cancelled/);
      expect(existsSync(join(workspace, 'a.txt'))).to.equal(true);
      expect(stopped.text).to.not.include('\u001b');
    });
  });
});
