import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { orPending } from '../bed/host-program.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call, type Turn } from '../bed/turn.ts';
import { holdsInEveryHost } from './every-host.ts';
import { command, hooksOn, killDaemon, made, project, SECRET, TIMEOUT_S } from './policy.ts';

const EVENTS = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent'];
const shell = (line: string) => call('run_shell_command', { command: line, description: 'd' });
const mcp = { files: [process.execPath, join(__dirname, '../bed/mcp-server.mjs')] };

let wasAlive = false;

const TURNS = {
  allowed: shell('touch allowed'),
  denied: shell('touch denied'),
  asked: shell('touch asked'),
  rewritten: shell('touch rewritten'),
  read: call('read_file', { file_path: 'private/a.txt' }),
  secret: call('read_file', { file_path: 'secret.txt' }),
  write: call('write_file', { file_path: 'docs/b.md', content: 'x' }),
  edit: call('replace', { file_path: 'docs/a.md', instruction: 'i', old_string: 'one', new_string: 'two' }),
  mcp: call('mcp_files_touch', { path: 'made-by-mcp' }),
  killed: shell('touch killed'),
  floor: shell('echo {} > ~/.gemini/settings.json; touch floor'),
  unreadable: call('run_shell_command', { command: ['touch', 'unreadable'], description: 'd' }),
  unnamed: call('write_file', { content: 'x' }),
  crashes: shell('touch crashes'),
  waits: shell('touch waits'),
  beforeKill: shell('touch before-kill'),
  afterKill: (_: unknown, bed: string): Turn => {
    wasAlive = killDaemon(bed);
    return shell('touch denied-after-kill');
  },
  after: shell('touch after'),
};

/** Gemini CLI without a terminal would wait for an answer forever. */
const DENY_ASKS = ['--ask', 'deny'];

const gemini = (context: Context, policy: string, run: Omit<HostRun, 'host' | 'hooks' | 'files'>) => {
  const words = ['--config', `policy/${policy}.yaml`, '--timeout', TIMEOUT_S, ...DENY_ASKS, '--daemon', '--idle', '5'];
  const line = command('gemini', ...words);
  return orPending(context, runHost({ host: 'gemini', hooks: hooksOn(EVENTS, line), files: project, ...run }));
};

describe('Gemini CLI under hookline hook --as gemini --daemon', () => {
  describe('with a policy', () => {
    let end: HostEnd;
    before(async function () {
      end = await gemini(this, 'hookline', { mcp, turns: Object.values(TURNS) });
    });
    const told = (name: keyof typeof TURNS): string => {
      const contents = end.requests[Object.keys(TURNS).indexOf(name) + 1]?.body['contents'] as unknown[] | undefined;
      return JSON.stringify(contents?.at(-1) ?? '');
    };

    holdsInEveryHost({
      end: () => end,
      told,
      wasAlive: () => wasAlive,
      crashed: /the process of the hooks ended early/,
      killed: /the daemon ended while it evaluated the event/,
    });

    it('runs what the policy allows', () => {
      expect(made(end, 'allowed', 'after')).to.deep.equal([true, true]);
    });

    it('runs nothing that the policy denies, and tells the model why', () => {
      expect(made(end, 'denied', 'asked', 'docs/b.md', 'made-by-mcp')).to.deep.equal([false, false, false, false]);
      expect(readFileSync(join(end.folder, 'docs/a.md'), 'utf8')).to.equal('one\n');
      expect(told('denied')).to.include('the rule Bash(touch denied*) denies it');
      for (const name of ['write', 'edit'] as const) expect(told(name)).to.include('Edit(docs/**)');
      expect(told('read')).to.include('Read(private/**)');
      expect(told('mcp')).to.include('mcp__files__*');
    });

    it('keeps its hook settings', () => {
      expect(made(end, 'floor')).to.deep.equal([false]);
      expect(told('floor')).to.include('host-floor');
    });

    it('gets no call whose command or path cannot be read, because Gemini CLI refuses it', () => {
      const calls = end.hookInputs.filter(({ hook_event_name: event }) => event === 'BeforeTool');
      expect(calls).to.have.length(Object.keys(TURNS).length - 2);
      expect(made(end, 'unreadable')).to.deep.equal([false]);
      expect(readdirSync(end.folder)).to.not.include('undefined');
      expect(told('unreadable')).to.include('must be string');
      expect(told('unnamed')).to.include("must have required property 'file_path'");
    });
  });

  it('counts the calls of a turn', async function () {
    const turns = ['one', 'two', 'three'].map((file) => shell(`touch ${file}`));
    const end = await gemini(this, 'budget', { turns });
    expect(made(end, 'one', 'two', 'three')).to.deep.equal([true, true, false]);
    expect(JSON.stringify(end.requests.at(-1)?.body)).to.include('2 tool calls of the budget of 2');
  });

  it('sends no prompt with a secret to the model', async function () {
    const end = await gemini(this, 'hookline', { prompt: `My key is ${SECRET}.`, turns: [] });
    expect(end.requests).to.deep.equal([]);
  });
});
