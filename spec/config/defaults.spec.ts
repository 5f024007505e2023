import { expect } from 'chai';
import type { PostActing } from 'hookline';
import { createLiveHooks } from 'hookline/config';
import { scriptedTool } from 'hookline/testing';
import { pino } from 'pino';
import { lastValueFrom, type Observable } from 'rxjs';
import type { HookEntry, NativeConfig } from '../../lib/config/native-schema.ts';
import { read, shown, written } from './read.ts';

/** A process that answers hello and nothing else. */
const DEAF = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'hook.hello') console.log(JSON.stringify({ id, result: {} }));
});`;

const deaf = (intercept: string, options: object = {}): HookEntry => ({
  type: 'process',
  options: { command: [process.execPath, '-e', DEAF], intercept: [intercept], ...options } as never,
});

const script = (command: string, options: object = {}, handler: object = {}): HookEntry => ({
  type: 'command',
  options: {
    settings: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, ...handler }] }] } },
    ...options,
  } as never,
});

/** Outcome of a call with the hook `h`, and its timeout in milliseconds as reported. */
async function act(entry: HookEntry, defaults: NativeConfig['defaults'] = {}) {
  let told = '';
  const hear = (what: unknown): void => {
    told += JSON.stringify(what);
  };
  const log = pino({ level: 'debug' }, { write: hear });
  const live = await createLiveHooks({
    host: { log },
    files: [written({ 'c.json': { defaults, hooks: { h: entry } } })('c.json')],
  });
  try {
    const { pipeline, release } = await live.lease();
    const run = pipeline.start({ agent: 'a' });
    const [hook] = pipeline.hooks;
    // The start time of a process is not tested here.
    if (hook && 'start' in hook)
      await lastValueFrom((hook as unknown as { start(): Observable<void> }).start(), { defaultValue: undefined });
    pipeline.events$.subscribe(hear);
    const last = await lastValueFrom(run.act({ id: 'c', name: 'echo', input: {} }, [scriptedTool({ name: 'echo' })]));
    run.cancel('over');
    release();
    return { outcome: (last as PostActing).outcome, ms: Number(/within (\d+) ms/.exec(told)?.[1] ?? 0) };
  } finally {
    await live.close();
  }
}

describe('the defaults of a configuration', () => {
  for (const [what, entry, defaults, outcome, ms] of [
    ['a process', deaf('before_tool'), { onFailure: 'block', timeoutMs: 300 }, 'denied', 300],
    ['a process without onFailure', deaf('before_tool'), { timeoutMs: 300 }, 'executed', 300],
    ['a process that approves', deaf('approve_tool'), { onFailure: 'skip', timeoutMs: 300 }, 'denied', 300],
    [
      'a process with timeouts in its options',
      deaf('before_tool', { timeouts: { interceptorMs: 700 } }),
      { onFailure: 'block', timeoutMs: 50 },
      'denied',
      700,
    ],
    [
      'a process with timeoutMs and onFailure in its entry',
      { ...deaf('before_tool', { timeouts: { interceptorMs: 30_000 } }), timeoutMs: 700, onFailure: 'skip' },
      { onFailure: 'block', timeoutMs: 50 },
      'executed',
      700,
    ],
    ['a script', script('sleep 600'), { onFailure: 'block', timeoutMs: 300 }, 'denied', 300],
    ['a script without onFailure', script('sleep 600'), { timeoutMs: 300 }, 'executed', 300],
    ['a script that fails', script('exit 1'), { onFailure: 'block' }, 'denied', 0],
    [
      'a script with its own onFailure',
      script('exit 1', {}, { onFailure: 'continue' }),
      { onFailure: 'block' },
      'executed',
      0,
    ],
    [
      'scripts with onFailure in their options',
      script('exit 1', { onFailure: 'continue' }),
      { onFailure: 'block' },
      'executed',
      0,
    ],
    [
      'scripts with timeoutMs and onFailure in their entry',
      { ...script('sleep 600', { timeoutMs: 30_000, onFailure: 'continue' }), timeoutMs: 700, onFailure: 'block' },
      { onFailure: 'skip', timeoutMs: 50 },
      'denied',
      700,
    ],
    [
      'scripts with timeoutMs in their options',
      script('sleep 600', { timeoutMs: 700 }),
      { timeoutMs: 50 },
      'executed',
      700,
    ],
    ['a script with its own timeout', script('sleep 600', {}, { timeout: 0.7 }), { timeoutMs: 50 }, 'executed', 700],
  ] as const) {
    it(`apply to ${what}`, async () => {
      expect(await act(entry, defaults)).to.deep.equal({ outcome, ms });
    });
  }

  it('keeps a process with chunks fail-closed', async () => {
    const entry = { type: 'process', options: { command: ['cat'], chunks: ['reasoning'] } };
    const live = await createLiveHooks({
      files: [written({ 'c.json': { defaults: { onFailure: 'skip' }, hooks: { h: entry } } })('c.json')],
    });
    const { pipeline, release } = await live.lease();
    expect(pipeline.hooks.map(({ onFailure }) => onFailure)).to.deep.equal(['block']);
    release();
    await live.close();
  });

  it('does not hide duplicate settings of an entry', () => {
    const { issues, notices } = read({
      hooks: {
        p: { ...deaf('before_tool', { timeouts: { helloMs: 9, interceptorMs: 5 } }), timeoutMs: 7 },
        q: { ...deaf('before_tool', { timeouts: { helloMs: 9 } }), timeoutMs: 7, onFailure: 'block' },
        c: { ...script('true', { timeoutMs: 5, onFailure: 'block' }), timeoutMs: 7, onFailure: 'block' },
        d: { ...script('true', { timeoutMs: 5, onFailure: 'block' }), priority: 3 },
      },
    });
    expect(issues).to.deep.equal([]);
    expect(shown({ issues: notices }).map((line) => line.replace(/^\S+ /, ''))).to.deep.equal([
      'hooks.p.options.timeouts.interceptorMs: has no effect: timeoutMs in the same entry takes precedence.',
      'hooks.c.options.timeoutMs: has no effect: timeoutMs in the same entry takes precedence.',
      'hooks.c.options.onFailure: has no effect: onFailure in the same entry takes precedence.',
    ]);
  });
});
