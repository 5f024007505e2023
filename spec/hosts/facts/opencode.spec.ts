import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { orPending } from '../bed/host-program.ts';
import { opencodePlugin } from '../bed/opencode-plugin.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';
import { expectRecorded } from '../fixtures/recorded.ts';

const bash = (command: string) => ({ name: 'bash', input: { command, description: 'd' } });
const shell = (command: string) => ({ calls: [bash(command)] });
const mcp = { files: [process.execPath, join(__dirname, '../bed/mcp-server.mjs')] };

const GUARD = opencodePlugin(`
  'chat.message': async (input, output) => { log('chat.message', input, output); output.parts[0].text = 'a clean prompt'; },
  'permission.ask': async (input, output) => log('permission.ask', input, output),
  'experimental.text.complete': async (input, output) => { log('experimental.text.complete', input, output); output.text = output.text.replace('secret', 'clean'); },
  'tool.execute.before': async (input, output) => {
    log('tool.execute.before', input, output);
    const args = JSON.stringify(output.args);
    if (args.includes('denied')) throw new Error('the reason');
    if (args.includes('rewritten-shell')) output.args.command = 'touch other-shell';
    if (args.includes('rewritten-mcp')) output.args.path = 'other-mcp';
    if (args.includes('replaced')) output.args = { command: 'touch other', description: 'd' };
  },
  'tool.execute.after': async (input, output) => {
    log('tool.execute.after', input, output);
    if (input.args.command === 'echo redacted') output.output = 'a clean result';
    if (input.args.command === 'touch thrown') throw new Error('the later reason');
    if (input.args.path === 'redacted-mcp') output.content = [{ type: 'text', text: 'a clean result' }];
  },
`);

const TURNS = {
  shell: shell('echo one'),
  read: call('read', { filePath: 'f.txt' }),
  write: call('write', { filePath: 'w.txt', content: 'x' }),
  edit: call('edit', { filePath: 'f.txt', oldString: 'one', newString: 'two' }),
  todo: call('todowrite', { todos: [{ content: 'c', status: 'pending', priority: 'high' }] }),
  mcp: call('files_touch', { path: 'm.txt' }),
  unknown: call('nonexistent', { a: 1 }),
  glob: call('glob', { pattern: '*.txt', path: 'nowhere' }),
  denied: shell('touch denied'),
  rewritten: shell('touch rewritten-shell'),
  replaced: shell('touch replaced'),
  redacted: shell('echo redacted'),
  thrown: shell('touch thrown'),
  deniedMcp: call('files_touch', { path: 'denied-mcp' }),
  rewrittenMcp: call('files_touch', { path: 'rewritten-mcp' }),
  redactedMcp: call('files_touch', { path: 'redacted-mcp' }),
  both: { calls: [bash('touch denied-first'), bash('touch second')] },
  task: call('task', { description: 'd', prompt: 'p', subagent_type: 'general' }),
  subagent: shell('touch denied-in-task'),
  subagentText: { text: 'the task is done' },
  text: { text: 'a secret answer' },
};

type Name = keyof typeof TURNS;

const opencode = (context: Context, run: Omit<HostRun, 'host'>) =>
  orPending(context, runHost({ host: 'opencode', ...run }));

const made = ({ folder }: HostEnd, ...files: string[]) => files.map((file) => existsSync(join(folder, file)));

describe('opencode', () => {
  describe('with a plugin', () => {
    let end: HostEnd;
    before(async function () {
      end = await opencode(this, { files: { ...GUARD, 'f.txt': 'one\n' }, mcp, turns: Object.values(TURNS) });
    });
    /** What the model is told about the turn. */
    const told = (name: Name): string => {
      const request = end.requests[Object.keys(TURNS).indexOf(name) + 1];
      const messages = (request?.body['messages'] ?? []) as { role: string; content: string }[];
      return messages.findLast(({ role }) => role === 'tool')?.content ?? '';
    };

    it('sends the payloads of the fixtures', () => {
      expectRecorded('opencode', end);
    });

    it('calls tool.execute.after neither for a refused nor for a failed call', () => {
      const after = end.hookInputs.filter(({ event }) => event === 'tool.execute.after');
      const ids = after.map(({ input }) => (input as { callID: string }).callID);
      const idOf = (name: Name) => `c${Object.keys(TURNS).indexOf(name) + 1}-0`;
      expect(ids).to.include(idOf('shell'));
      for (const name of ['denied', 'glob'] as const) expect(ids).not.to.include(idOf(name));
    });

    it('refuses a call if tool.execute.before throws, with the message for the model', () => {
      expect(made(end, 'denied')).to.deep.equal([false]);
      expect(told('denied')).to.equal('the reason');
    });

    it('runs the arguments that tool.execute.before changed in place', () => {
      expect(made(end, 'rewritten-shell', 'other-shell')).to.deep.equal([false, true]);
    });

    it('ignores new arguments that tool.execute.before assigned', () => {
      expect(made(end, 'replaced', 'other')).to.deep.equal([true, false]);
    });

    it('gives the model the output that tool.execute.after wrote', () => {
      expect(told('redacted')).to.equal('a clean result');
    });

    it('gives the model the message if tool.execute.after throws', () => {
      expect(made(end, 'thrown')).to.deep.equal([true]);
      expect(told('thrown')).to.equal('the later reason');
    });

    it('refuses, rewrites and redacts calls of MCP', () => {
      expect(made(end, 'denied-mcp', 'rewritten-mcp', 'other-mcp')).to.deep.equal([false, false, true]);
      expect(told('deniedMcp')).to.equal('the reason');
      expect(told('redactedMcp')).to.equal('a clean result');
    });

    it('refuses one of two calls of a step', () => {
      expect(made(end, 'denied-first', 'second')).to.deep.equal([false, true]);
    });

    it('refuses a call of a sub-agent', () => {
      expect(made(end, 'denied-in-task')).to.deep.equal([false]);
      expect(told('subagent')).to.equal('the reason');
    });

    it('sends the prompt that chat.message changed', () => {
      expect(JSON.stringify(end.requests[0]?.body)).to.include('a clean prompt');
    });

    it('shows the text that experimental.text.complete changed', () => {
      expect(end.output).to.include('a clean answer').and.not.to.include('a secret answer');
    });
  });

  it('runs without a plugin that throws when it loads', async function () {
    const files = { '.opencode/plugins/guard.js': `throw new Error('broken')` };
    expect(made(await opencode(this, { files, turns: [shell('touch a.txt')] }), 'a.txt')).to.deep.equal([true]);
  });
});
