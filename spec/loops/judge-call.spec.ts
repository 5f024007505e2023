import { expect } from 'chai';
import { createPipeline, defineHook, defineTool, deny, modify, respond, verdict } from '../../lib/index.ts';
import { judgeCall, lifetimeFrom } from '../../lib/loops/index.ts';
import { recorder, scriptedTool, toolCall } from '../../lib/testing/index.ts';

const look = () => scriptedTool({ name: 'look', result: 'seen' });
const start = (
  ...hooks: Parameters<typeof createPipeline>[0] extends infer _ ? Parameters<typeof defineHook>[0][] : never
) => {
  const recorded = recorder();
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded]);
  return { recorded, run: pipeline.start({ agent: 'other' }) };
};

describe('a call in two halves', () => {
  it('is judged at once, and runs once when executed', async () => {
    const tool = look();
    const { run } = start({
      name: 'tidy',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { a: 2 } } }) },
    });
    const judged = await judgeCall(run, toolCall('look', { a: 1 }), [tool]);
    expect([judged.state, judged.event?.toolCall.input]).to.deep.equal(['ready', { a: 2 }]);
    expect(tool.calls).to.be.empty;
    const [first, second] = await Promise.all([judged.execute(), judged.execute()]);
    expect(first?.result.content).to.equal('seen');
    expect(second).to.equal(first);
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ a: 2 }]);
  });

  it('excludes the wait from its duration', async () => {
    let now = 0;
    const recorded = recorder();
    const scheduler = { now: () => now, schedule: () => ({ unsubscribe() {} }) } as never;
    const run = createPipeline([recorded], { scheduler }).start({ agent: 'other' });
    const judged = await judgeCall(run, toolCall('look'), [look()]);
    now = 60_000;
    expect((await judged.execute())?.durationMs).to.equal(0);
  });

  it('waits with tools of hooks too', async () => {
    const brought = look();
    const { run } = start({ name: 'brings', tools: [brought] });
    const judged = await judgeCall(run, toolCall('look'), []);
    expect([judged.state, brought.calls.length]).to.deep.equal(['ready', 0]);
    await judged.execute();
    expect(brought.calls).to.have.length(1);
  });

  it('is closed with the reason if skipped, and never runs', async () => {
    const tool = look();
    const { run, recorded } = start();
    const judged = await judgeCall(run, toolCall('look'), [tool]);
    const post = await judged.skip('the loop has stopped');
    expect([post?.outcome, post?.result.content]).to.deep.equal([
      'skipped',
      'The call was not started: the loop has stopped.',
    ]);
    expect(await judged.execute()).to.equal(post);
    expect(tool.calls).to.be.empty;
    expect(recorded.of('postActing')).to.have.length(1);
  });

  it('is no longer skipped after it has begun', async () => {
    const { run } = start();
    const judged = await judgeCall(run, toolCall('look'), [look()]);
    const running = judged.execute();
    expect((await judged.skip('too late'))?.outcome).to.equal('executed');
    expect(await running).to.equal(await judged.skip('again'));
  });

  for (const [what, hook, outcome] of [
    ['denied', { name: 'no', approve: () => verdict.deny('no') }, 'denied'],
    ['denied by a handler', { name: 'no', on: { preActing: (event: never) => deny(event, 'no') } }, 'denied'],
    ['answered', { name: 'me', on: { preActing: (event: never) => respond(event, 'mine') } }, 'responded'],
  ] as const) {
    it(`ends at once if it is ${what}`, async () => {
      const tool = look();
      const { run } = start(hook as never);
      const judged = await judgeCall(run, toolCall('look'), [tool]);
      expect([judged.state, (await judged.execute())?.outcome, tool.calls.length]).to.deep.equal(['over', outcome, 0]);
    });
  }

  it('is judged again with an answer if it is pending', async () => {
    const tool = look();
    const { run } = start({ name: 'asks', approve: () => verdict.suspend('Really?') });
    const judged = await judgeCall(run, toolCall('look'), [tool]);
    expect([judged.state, judged.event?.decision]).to.deep.equal([
      'suspended',
      { action: 'suspend', prompt: 'Really?', by: 'asks' },
    ]);
    await judged.execute().then(
      () => expect.fail('executed'),
      (thrown) => expect(thrown.code).to.equal('ANSWER_INVALID'),
    );
    const answers = [{ approved: true, by: 'asks', judged: toolCall('look') }];
    const again = await judgeCall(run, toolCall('look'), [tool], { answers });
    expect((await again.execute())?.outcome).to.equal('executed');
  });

  it('ends with the signal of its batch', async () => {
    const stop = new AbortController();
    const { run } = start();
    const lifetime = lifetimeFrom(stop.signal, run.lifetime);
    const slow = defineTool({
      name: 'slow',
      description: '',
      inputSchema: { type: 'object' },
      execute: () => new Promise(() => {}),
    });
    const running = (await judgeCall(run, toolCall('slow'), [slow], { lifetime })).execute();
    const waiting = await judgeCall(run, { ...toolCall('look'), id: 'second' }, [look()], { lifetime });
    stop.abort(new Error('enough'));
    expect([(await running)?.outcome, (await waiting.execute())?.outcome]).to.deep.equal(['cancelled', 'skipped']);
    expect(run.lifetime.cancelled).to.equal(false);
    const late = await judgeCall(run, { ...toolCall('look'), id: 'third' }, [look()], { lifetime });
    expect([late.state, late.event, (await late.execute())?.result.content]).to.deep.equal([
      'over',
      undefined,
      'The call was not started: enough.',
    ]);
  });

  it('forwards progress reports of the running tool', async () => {
    const heard: string[] = [];
    const { run } = start();
    const tool = scriptedTool({ name: 'look', chunks: ['se', 'en'] });
    const judged = await judgeCall(run, toolCall('look'), [tool], { onEvent: (event) => heard.push(event.type) });
    expect(heard).to.deep.equal(['preActing']);
    await judged.execute();
    expect(heard).to.deep.equal(['preActing', 'actingChunk', 'actingChunk', 'actingChunk', 'postActing']);
  });

  it('is rejected if its run has ended', async () => {
    const { run } = start();
    await new Promise<void>((resolve) => run.end({ outcome: 'completed' }).subscribe({ complete: resolve }));
    await judgeCall(run, toolCall('look'), [look()]).then(
      () => expect.fail('judged'),
      (thrown) => expect(thrown.message).to.contain('the run has ended'),
    );
  });
});
