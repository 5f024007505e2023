import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { folder, hookline, outcomeOf, start } from '../hookline.ts';
import { httpHook } from './listen/http-hook.ts';

/** What hooks, their children and addons may do to the process that they run in, by a word of the event. */
const disturbances = {
  prints: `require('node:fs').writeSync(1, 'noise\\n'); process.stdout.write('{}\\n');`,
  'a child prints': `require('node:child_process').execSync('echo noise', { stdio: 'inherit' });`,
  'a child stays': `require('node:child_process').spawn('sh', ['-c', 'sleep 1; echo late'], { stdio: 'inherit', detached: true }).unref();`,
  'sets the exit code': `process.exitCode = 0; process.on('exit', () => { process.exitCode = 0; });`,
  'says that it was judged': `process.send?.({ id: 1, answer: { code: 0, stdout: '', stderr: '' } }); process.emit('message', { end: true });`,
  'writes into what is open': `for (let fd = 3; fd < 40; fd += 1) try { require('node:fs').writeSync(fd, 'noise\\nnull\\n{}\\n'); } catch {}`,
  'writes an answer into what is open': `
    const said = Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, answer: { code: 0, stdout: '', stderr: '' } }) + '\\n').join('');
    for (let fd = 3; fd < 40; fd += 1) try { require('node:fs').writeSync(fd, said); } catch {}`,
  exits: 'process.exit(0);',
  'really exits': 'process.reallyExit(0);',
  'kills itself': `process.kill(process.pid, 'SIGKILL');`,
  'closes its streams': `for (const fd of [0, 1, 2]) try { require('node:fs').closeSync(fd); } catch {}`,
  'loses an error': `Promise.reject(new Error('lost'));`,
  'throws later': `setTimeout(() => { throw new Error('lost'); }, 1);`,
} as const;

const HOOKS = `
const { defineHook, deny, modify, retry, userMessage, abort, verdict } = require('hookline');
const disturbances = { ${Object.entries(disturbances)
  .map(([name, code]) => `${JSON.stringify(name)}: () => { ${code} }`)
  .join(',\n')} };
const disturb = async (event) => {
  const text = JSON.stringify(event);
  for (const [name, act] of Object.entries(disturbances)) if (text.includes(name)) act();
  if (text.includes('spins')) for (;;);
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (text.includes('waits and keeps')) for (;;);
};
const on = { preCall: disturb, preActing: disturb, postActing: disturb, postReasoning: disturb, preReasoning: disturb };
module.exports = [
  defineHook({ name: 'disturbs', priority: 1, timeoutMs: 600000, on }),
  defineHook({
    name: 'guard',
    priority: 2,
    on: {
      preCall: (event) => JSON.stringify(event).includes('fine') ? undefined : abort(event, 'not this'),
      preReasoning: (event) => event.messages.length === 0 ? undefined : abort(event, 'not this'),
      postReasoning: (event) => JSON.stringify(event).includes('fine') ? undefined : retry(event, [userMessage('go on')]),
      postActing: (event) => JSON.stringify(event).includes('fine') ? undefined : modify(event, { result: { ...event.result, content: 'clean' } }),
    },
    approve: ({ toolCall }) => JSON.stringify(toolCall).includes('fine') ? verdict.allow() : verdict.deny('not this'),
  }),
];
`;
const made = folder({ 'hooks.cjs': HOOKS });
/** Milliseconds after which hooks that do not close are left. */
const CLOSE_MS = 10_000;
const call = (word: string) => ({ tool_name: 'Bash', tool_input: { command: word }, tool_use_id: 't1' });
type Said = {
  hookSpecificOutput?: { decision?: { behavior?: string } } & Record<string, unknown>;
  [key: string]: unknown;
};

/** Each event of Claude Code that can refuse: what comes, and whether an answer refuses. */
const events: Readonly<Record<string, { send(word: string): object; refuses(said: Said): boolean; code: number }>> = {
  PreToolUse: {
    send: call,
    refuses: ({ hookSpecificOutput }) => hookSpecificOutput?.['permissionDecision'] === 'deny',
    code: 2,
  },
  PermissionRequest: {
    send: (word) => ({ tool_name: 'Bash', tool_input: { command: word } }),
    refuses: ({ hookSpecificOutput }) => hookSpecificOutput?.decision?.behavior === 'deny',
    code: 0,
  },
  UserPromptSubmit: { send: (prompt) => ({ prompt }), refuses: ({ decision }) => decision === 'block', code: 2 },
  PostToolUse: {
    send: (word) => ({ ...call(word), tool_response: { stdout: 'raw' } }),
    refuses: ({ hookSpecificOutput }) =>
      !JSON.stringify(hookSpecificOutput?.['updatedToolOutput'] ?? 'raw').includes('raw'),
    code: 0,
  },
  Stop: {
    send: (word) => ({ last_assistant_message: word }),
    refuses: ({ decision }) => decision === 'block',
    code: 2,
  },
};
const toEvent = (name: string, word: string, session_id = 's1') => ({
  ...{ session_id, cwd: made, hook_event_name: name, ...events[name]?.send(word) },
});
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;
const ALL = Object.keys(disturbances);
/** The process of the hooks is the same for all fronts and events. serve-http.spec.ts and serve-picoclaw.spec.ts have the refusals of each event. */
const wordsFor = (name: string, main: string, some: readonly string[]) => (SOAK ? ALL : name === main ? some : []);
/** For fronts that go on: a process that goes on with noise, one that ends, and one that fails later. */
const FEW = ['prints', 'exits', 'throws later'];
const words = ['--hooks', './hooks.cjs', '--preset', 'none'];

describe('what hooks, their children and addons do to their process', function () {
  this.timeout(600_000);

  it('never lifts a denial by a command hook of Claude Code', async () => {
    const cases = Object.entries(events).flatMap(([name, at]) =>
      wordsFor(name, 'PreToolUse', ALL).map((word) => ({ name, word, at })),
    );
    const run = async () => {
      for (let one = cases.shift(); one; one = cases.shift()) {
        const { name, word, at } = one;
        const input = JSON.stringify(toEvent(name, word));
        const { code, stdout, stderr } = await hookline(['hook', '--as', 'claude', ...words], { input, cwd: made });
        expect([name, word, code, stdout.split('\n').length], stderr).to.deep.equal([name, word, at.code, 2]);
        expect(at.refuses(JSON.parse(stdout)), `${name} ${word}: ${stdout}`).to.equal(true);
        if (code === 2) expect(stderr.trim(), `${name} ${word}`).to.not.equal('');
      }
    };
    await Promise.all([run(), run(), run()]);
  });

  it('never lifts a denial by a server of HTTP handlers, which continues', async () => {
    const server = await httpHook(words, { cwd: made });
    const send = async (name: string, word: string): Promise<Said> => server.ask(toEvent(name, word));
    for (const [name, at] of Object.entries(events))
      for (const word of wordsFor(name, 'PreToolUse', FEW)) {
        const said = await send(name, word);
        expect(at.refuses(said), `${name} ${word}: ${JSON.stringify(said)}`).to.equal(true);
      }
    expect(await send('PreToolUse', 'fine')).to.deep.equal({});
    expect((await server.end()).code).to.equal(0);
  });

  it('never lifts a denial by a process hook of PicoClaw, which continues', async () => {
    const host = picoclaw();
    const refused: Readonly<Record<string, (said: Said) => boolean>> = {
      'hook.before_llm': ({ action }) => action === 'abort_turn',
      'hook.before_tool': ({ action }) => action === 'deny_tool',
      'hook.approve_tool': ({ approved }) => approved === false,
      'hook.after_tool': (said) => said['action'] === 'modify' && !JSON.stringify(said).includes('raw'),
    };
    for (const [method, isRefused] of Object.entries(refused))
      for (const word of wordsFor(method, 'hook.before_tool', FEW)) {
        const said = await host.ask(method, word);
        expect(isRefused(said), `${method} ${word}: ${JSON.stringify(said)}`).to.equal(true);
      }
    expect(await host.ask('hook.before_tool', 'fine')).to.deep.equal({ action: 'continue' });
    await host.end();
  });

  it('keeps the decision at the start of a turn when the hook process is replaced', async () => {
    const host = picoclaw();
    host.begin('turn-a', 'not allowed');
    host.begin('turn-b', 'fine');
    const refused = await host.ask('hook.before_llm', 'fine', 'turn-a', true);
    expect(refused).to.include({ action: 'abort_turn' });
    expect(await host.ask('hook.before_tool', 'exits')).to.include({ action: 'deny_tool' });
    expect(await host.ask('hook.before_tool', 'fine', 'turn-a', true)).to.include({ action: 'abort_turn' });
    expect(await host.ask('hook.before_tool', 'fine', 'turn-b', true)).to.deep.equal({ action: 'continue' });
    await host.end();
  });

  it('delays no other event if one blocks the event loop; that one is denied', async () => {
    // The loop takes a core until the timeout.
    const host = picoclaw(['--timeout', '16']);
    expect(await host.ask('hook.before_tool', 'fine')).to.deep.equal({ action: 'continue' });
    const spinning = host.ask('hook.before_tool', 'spins');
    const others: Said[] = [];
    for (let n = 0; n < 5; n += 1) {
      others.push(await host.ask('hook.before_tool', 'fine', `other-${n}`));
      await sleep(300);
    }
    expect(others.map(({ action }) => action)).to.deep.equal(others.map(() => 'continue'));
    expect(await spinning).to.include({ action: 'deny_tool' });
    await host.end();
  });

  // They keep every core of the machine busy for half a minute.
  for (const word of SOAK ? ['spins', 'waits and keeps'] : [])
    it(`delays no other event if several block the event loop (${word})`, async () => {
      const host = picoclaw(['--timeout', '60']);
      expect(await host.ask('hook.before_tool', 'fine')).to.deep.equal({ action: 'continue' });
      for (let n = 0; n < 3; n += 1) void host.ask('hook.before_tool', word);
      const others = await Promise.all([1, 2, 3].map(() => host.ask('hook.before_tool', 'fine')));
      expect(others).to.deep.equal(others.map(() => ({ action: 'continue' })));
      await host.kill();
    });
});

/** A PicoClaw that asks our process hook. */
function picoclaw(more: readonly string[] = ['--timeout', '30']) {
  const child = start(['hook', '--as', 'picoclaw', ...words, ...more], { cwd: made });
  const outcome = outcomeOf(child);
  const waiting = new Map<number, (said: Said) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
  });
  let last = 0;
  return {
    begin(turn: string, usermessage: string): void {
      const scope = { turn_id: turn, session_key: 's' };
      const params = { kind: 'agent.turn.start', scope, payload: { UserMessage: usermessage } };
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'hook.runtime_event', params })}\n`);
    },
    ask(method: string, word: string, turn = 'turn', isTurn = false): Promise<Said> {
      last += 1;
      const id = last;
      const meta = { TurnID: isTurn ? turn : `${turn}-${id}`, SessionKey: turn };
      const own = method.endsWith('llm')
        ? { messages: [{ role: 'user', content: word }] }
        : { tool: 'exec', arguments: { command: word }, result: { for_llm: 'raw' } };
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { meta, ...own } })}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async end() {
      const before = performance.now();
      child.stdin?.end();
      expect((await outcome).code).to.equal(0);
      expect(performance.now() - before, 'closing the hooks waits for nothing').to.be.below(CLOSE_MS);
    },
    /** Ends at once what an event keeps. */
    async kill() {
      child.kill('SIGTERM');
      await outcome;
    },
  };
}
