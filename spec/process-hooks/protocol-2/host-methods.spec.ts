import { expect } from 'chai';
import { lastValueFrom, Observable, Subject, toArray } from 'rxjs';
import { createAgent, createPipeline, type RunInfo, type SettledEvent } from '../../../lib/index.ts';
import type { ProcessHook } from '../../../lib/process-hooks/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { clientScene } from './scene.ts';

const open: ProcessHook[] = [];

/** Runs an agent that calls `echo`. The hook runs `body` when it is called for that call. */
async function run(body: string, options: Parameters<typeof clientScene>[1] = {}, prelude = '') {
  const scene = clientScene(
    `${prelude} methods['hook.before_tool'] = async (params) => { const run = params.event?.run.runId; ${body} };`,
    options,
  );
  open.push(scene.hook);
  const agent = createAgent({
    name: 'a',
    model: scriptedModel([{ toolCalls: [{ name: 'echo', input: {} }] }, 'done']),
    tools: [scriptedTool({ name: 'echo', result: 'echoed' })],
    pipeline: createPipeline([scene.hook]),
  });
  const events = await lastValueFrom((agent.run('hi', { userId: 'ada' }) as Observable<SettledEvent>).pipe(toArray()));
  while (scene.notes.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  return { ...scene, agent, events };
}

describe('requests of a hook process to its host in protocol 2', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((hook) => hook.stop()));
  });

  it('writes host.log to the log, as a request and as a notification', async () => {
    const { logged, notes } = await run(`
      tell('host.log', { message: 'by the way' });
      note(await call('host.log', { level: 'warn', message: 'look', data: { a: 1 }, run }));`);
    expect(notes).to.deep.equal([{}]);
    const own = logged.filter(({ msg }) => msg === 'by the way' || msg === 'look');
    expect(own[0]).to.include({ level: 30, hook: 'remote' });
    expect(own[1]).to.deep.include({ level: 40, hook: 'remote', data: { a: 1 } });
    expect(own[1]?.['runId']).to.be.a('string');
  });

  it('stores JSON of host.state with the run and in its snapshot', async () => {
    const body = `
      note([await call('host.state.get', { run, key: 'n' }), await call('host.state.set', { run, key: 'n', value: [1, { a: null }] }),
        await call('host.state.get', { run, key: 'n' }), await call('host.state.get', { run, key: 'toString' })]);`;
    const asks = `methods['hook.approve_tool'] = () => ({ suspended: true, prompt: 'Well?' });`;
    const { notes, events } = await run(body, { intercept: ['before_tool', 'approve_tool'] }, asks);
    expect(notes).to.deep.equal([[{ value: null }, {}, { value: [1, { a: null }] }, { value: null }]]);
    const end = events.at(-1);
    const state = end?.type === 'postCall' && (end.snapshot as { state: object }).state;
    expect(state).to.deep.equal({ 'process-hook:remote': { n: [1, { a: null }] } });
  });

  it('sends host.message to the user of the run, and answers after that', async () => {
    const sent: [string, RunInfo][] = [];
    const message = async (text: string, run: RunInfo) => void sent.push([text, run]);
    const { notes } = await run(`note(await call('host.message', { run, text: 'Hello!' }));`, { message });
    expect(notes).to.deep.equal([{}]);
    expect(sent.map(([text, { userId, agent }]) => [text, userId, agent])).to.deep.equal([['Hello!', 'ada', 'a']]);
  });

  it('reports why a message was not sent', async () => {
    const ask = `note(await call('host.message', { run, text: 'Hello!' }));`;
    const without = await run(ask);
    expect(without.notes[0]).to.deep.equal({
      code: -32_000,
      message: 'host.message: this host sends no messages; set the option message of processHook.',
    });
    const broken = await run(ask, { message: () => Promise.reject(new Error('no line')) });
    expect(broken.notes[0]).to.deep.equal({ code: -32_000, message: 'host.message: no line' });
  });

  it('cancels active messages when the process has ended', async () => {
    let given = false;
    const message = () =>
      new Observable(() => () => {
        given = true;
      });
    const { hook } = await run(`call('host.message', { run, text: 'Hello!' }); note('asked');`, { message });
    await hook.stop();
    // Its output may end shortly after its exit.
    for (let tries = 0; !given && tries < 200; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(given).to.equal(true);
  });

  it('limits concurrent messages', async () => {
    const gate$ = new Subject<void>();
    const body = `
      const calls = Array.from({ length: 65 }, (_, nth) => call('host.message', { run, text: String(nth) }));
      note(await calls[64]);`;
    const { notes } = await run(body, { message: () => gate$ });
    expect((notes[0] as { message: string }).message).to.equal(
      'host.message: 64 messages are pending; wait for a reply before the next one.',
    );
    gate$.complete();
  });

  for (const [what, ask, code, issue] of [
    ['an unknown method', `call('host.shout', {})`, -32_601, /^method not found: host.shout; there are host.log/],
    ['no params', `call('host.state.get')`, -32_602, /^host.state.get: .*expected object/],
    ['params of the wrong type', `call('host.state.get', { run: 7, key: 'n' })`, -32_602, /string.*at run/s],
    ['an unknown parameter', `call('host.log', { text: 'x' })`, -32_602, /text/],
    ['the key __proto__', `call('host.state.set', { run, key: '__proto__', value: 1 })`, -32_602, /key/],
    ['an unknown run', `call('host.state.get', { run: 'x', key: 'n' })`, -32_000, /there is no run "x"/],
    [
      'state that exceeds the snapshot limit',
      `call('host.state.set', { run, key: 'n', value: 'x'.repeat(1 << 20) })`,
      -32_000,
      /exceed 1048576 characters/,
    ],
  ] as const) {
    it(`answers ${what} with an error`, async () => {
      const { notes } = await run(`note(await ${ask});`);
      const error = notes[0] as { code: number; message: string };
      expect(error.code).to.equal(code);
      expect(error.message).to.match(issue);
    });
  }

  it('rejects requests of a hook of protocol 1', async () => {
    const { notes } = await run(
      `note(await call('host.log', { message: 'x' }));`,
      {},
      `methods['hook.hello'] = () => ({ ok: true });`,
    );
    expect(notes[0]).to.deep.equal({ code: -32_000, message: 'method not found: host.log' });
  });
});
