import { expect } from 'chai';
import { firstValueFrom, lastValueFrom, type Observable, toArray } from 'rxjs';
import {
  createAgent,
  createPipeline,
  EVENT_FORMAT_VERSION,
  hookEventSchema,
  type JsonObject,
  pendingCalls,
  type SettledEvent,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { processScene, type Replies } from '../picoclaw/scene.ts';

const open: { close(): Promise<void> }[] = [];

function world(replies: Replies, options: Parameters<typeof processScene>[1] = {}) {
  const scene = processScene({ 'hook.approve_tool': { approved: true }, ...replies }, options);
  open.push(scene);
  const tool = scriptedTool({ name: 'echo', result: 'echoed' });
  const model = scriptedModel([{ text: 'I will.', toolCalls: [{ name: 'echo', input: { text: 'hello' } }] }, 'done']);
  const agent = createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([scene.hook]) });
  const run = () => lastValueFrom((agent.run('hi') as Observable<SettledEvent>).pipe(toArray()));
  return { ...scene, agent, tool, run };
}

describe('protocol 2 of a process hook', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((scene) => scene.close()));
  });

  const methods = ['before_llm', 'after_llm', 'before_tool', 'approve_tool', 'after_tool', 'runtime_event'];

  it('adds the whole event and its version to the fields of protocol 1', async () => {
    const old = world({}, { observe: ['*'] });
    const own = world({ 'hook.hello': { protocol: 2 } }, { observe: ['*'] });
    await Promise.all([old.run(), own.run()]);
    await Promise.all([old.settled(), own.settled()]);
    for (const method of methods.map((name) => `hook.${name}`)) {
      const [before, now] = [old.frames(method)[0]?.params, own.frames(method)[0]?.params];
      const { event, format, ...rest } = now ?? {};
      expect(Object.keys(rest), method).to.deep.equal(Object.keys(before ?? {}));
      expect(format, method).to.equal(EVENT_FORMAT_VERSION);
      expect(hookEventSchema.safeParse(event).error, method).to.equal(undefined);
    }
    expect(own.frames('hook.before_tool')[0]?.params['event']).to.deep.include({ type: 'preActing', iteration: 1 });
  });

  it('does not contain who answered the approval prompts of a resumed run', async () => {
    const { agent, frames, settled } = world(
      { 'hook.hello': { protocol: 2 }, 'hook.approve_tool': { suspended: true, prompt: 'May it?' } },
      { observe: ['*'] },
    );
    const metadata = { channel: 'cli', approvals: [{ by: 'bob', token: 'phone', address: '10.0.0.1' }] };
    const suspended = await agent.call('hi', { metadata });
    const { snapshot } = suspended as { snapshot: JsonObject };
    await lastValueFrom(agent.resume(snapshot, {}));
    await settled();
    const events = frames().flatMap(({ params }) => (params?.['event'] ? [params['event']] : []));
    const ofFirst = events.filter(({ run }) => run.resumedFrom === undefined);
    const ofNext = events.filter(({ run }) => run.resumedFrom !== undefined);
    expect(
      ofFirst.map(({ run }) => run.metadata),
      'what the user has said',
    ).to.deep.include(metadata);
    expect(ofNext.map(({ type }) => type)).to.include('postCall');
    for (const event of ofNext) expect(event.run.metadata).to.deep.equal({ channel: 'cli' });
    expect(JSON.stringify(ofNext)).not.to.include('10.0.0.1');
  });

  for (const [what, hello] of [
    ['nothing', {}],
    ['1', { protocol: 1 }],
    ['another number', { protocol: 3 }],
    ['a string', { protocol: '2' }],
  ] as const) {
    it(`stays protocol 1, byte for byte, for a hook that answers hello with ${what}`, async () => {
      const { run, frames } = world({ 'hook.hello': hello }, { observe: ['*'] });
      await run();
      for (const method of methods) {
        const params = frames(`hook.${method}`)[0]?.params ?? {};
        expect(Object.keys(params), method).not.to.include.members(['event']);
        expect(Object.keys(params), method).not.to.include.members(['format']);
      }
    });
  }

  it('lets an approver suspend, and accepts the answer to its prompt', async () => {
    const { agent, tool } = world({
      'hook.hello': { protocol: 2 },
      'hook.approve_tool': { suspended: true, prompt: 'May it echo?' },
    });
    const end = await agent.call('hi');
    expect(end.outcome).to.equal('suspended');
    expect(tool.calls).to.have.length(0);
    const [pending] = pendingCalls(end.snapshot!);
    expect([pending?.by, pending?.prompt]).to.deep.equal(['remote', 'May it echo?']);
    const resumed = await lastValueFrom(agent.resume(end.snapshot!, { [pending!.key]: { approved: true } }));
    expect((resumed as { outcome?: string }).outcome).to.equal('completed');
    expect(tool.calls).to.have.length(1);
  });

  for (const [what, reply, protocol] of [
    ['without a prompt', { suspended: true }, 2],
    ['with a denial', { approved: false, suspended: true, prompt: 'x' }, 2],
    ['in protocol 1', { suspended: true, prompt: 'x' }, 1],
  ] as const) {
    it(`denies a call that is suspended ${what}`, async () => {
      const { run, tool } = world({ 'hook.hello': { protocol }, 'hook.approve_tool': reply });
      const acted = (await run()).find((event) => event.type === 'postActing');
      expect(acted?.type === 'postActing' && acted.outcome).to.equal('denied');
      expect(tool.calls).to.have.length(0);
    });
  }

  it('has no protocol before the hello of the process', async () => {
    const { hook, frames } = world({ 'hook.hello': { Protocol: 2 } });
    await firstValueFrom(hook.start(), { defaultValue: undefined });
    expect(frames()[0]?.params['protocols']).to.deep.equal([1, 2]);
  });
});
