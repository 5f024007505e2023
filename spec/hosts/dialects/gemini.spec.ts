import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { orPending } from '../bed/host-program.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';
import { command, hooksOn, made, project, SECRET } from './policy.ts';

const EVENTS = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent'];
const shell = (line: string) => call('run_shell_command', { command: line, description: 'd' });
const mcp = { files: [process.execPath, join(__dirname, '../bed/mcp-server.mjs')] };

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
  floor: shell('echo {} > ~/.gemini/settings.json; touch floor'),
  crashes: shell('touch crashes'),
  after: shell('touch after'),
};

/** `--ask deny`: Gemini CLI without a terminal would wait for an answer forever. */
const gemini = (context: Context, run: Omit<HostRun, 'host' | 'hooks' | 'files'>) => {
  const line = command('gemini', '--config', 'policy/hookline.yaml', '--ask', 'deny', '--daemon', '--idle', '5');
  return orPending(context, runHost({ host: 'gemini', hooks: hooksOn(EVENTS, line), files: project, ...run }));
};

describe('Gemini CLI under hookline hook --as gemini --daemon', () => {
  describe('with a policy', () => {
    let end: HostEnd;
    before(async function () {
      end = await gemini(this, { mcp, turns: Object.values(TURNS), limitMs: 60_000 });
    });
    const told = (name: keyof typeof TURNS): string => {
      const contents = end.requests[Object.keys(TURNS).indexOf(name) + 1]?.body['contents'] as unknown[] | undefined;
      return JSON.stringify(contents?.at(-1) ?? '');
    };

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

    it('runs a rewritten command', () => {
      expect(made(end, 'rewritten', 'rewritten.new')).to.deep.equal([false, true]);
    });

    it('hides a secret in a result from the model', () => {
      expect(JSON.stringify(end.requests.map(({ body }) => body))).to.not.include(SECRET);
      expect(told('secret')).to.include('REDACTED');
    });

    it('keeps its hook settings, and runs nothing if a hook ends its process', () => {
      expect(made(end, 'floor', 'crashes')).to.deep.equal([false, false]);
      expect(told('floor')).to.include('host-floor');
    });
  });

  it('sends no prompt with a secret to the model', async function () {
    const end = await gemini(this, { prompt: `My key is ${SECRET}.`, turns: [] });
    expect(end.requests).to.deep.equal([]);
  });
});
