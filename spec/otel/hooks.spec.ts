import { SpanStatusCode } from '@opentelemetry/api';
import { expect } from 'chai';
import { of, timer } from 'rxjs';
import { map } from 'rxjs/operators';
import { dangerousConfirmation } from '../../lib/hooks/index.ts';
import { type OtelOptions, otel } from '../../lib/hooks/otel/index.ts';
import {
  type Agent,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  deny,
  type Hook,
  type Model,
  modify,
  respond,
  verdict,
} from '../../lib/index.ts';
import { memorySdk, withContextManager } from './exported.ts';

const wipe = defineTool({
  name: 'wipe',
  description: 'Wipes.',
  inputSchema: { type: 'object' },
  execute: () => 'wiped',
});

/** Calls `wipe` once, then answers. */
const model: Model = Object.assign(
  ({ messages }: Parameters<Model>[0]) =>
    messages.some(({ role }) => role === 'tool')
      ? of({ type: 'text', delta: 'done' } as const)
      : of({ type: 'toolCall', toolCall: { id: 'c1', name: 'wipe', input: { path: '/' } } } as const),
  { modelId: 'big' },
);

/** No hook is slow, unless a spec says so: on a busy machine, each may take a tenth of a second. */
function house(hooks: readonly Hook[], { slowMs = 10_000, ...options }: OtelOptions = {}) {
  const sdk = memorySdk();
  const { tracerProvider, meterProvider } = sdk;
  const pipeline = createPipeline([otel({ tracerProvider, meterProvider, slowMs, ...options }), ...hooks]);
  const agent = createAgent({ name: 'scout', model, tools: [wipe], pipeline });
  const hookSpans = () =>
    sdk
      .spans()
      .filter(({ name }) => name.startsWith('hook '))
      .map(({ name, attributes }) => `${name}: ${attributes['hookline.outcome']}`);
  return { sdk, agent, hookSpans };
}

const eventsOf = (sdk: ReturnType<typeof memorySdk>) =>
  sdk.span('invoke_agent scout').events.map(({ name, attributes }) => ({ name, ...attributes }));

async function suspendAndResume(agent: Agent, approved: boolean, metadata?: object) {
  const { snapshot, run } = await agent.call('go');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const resumed$ = agent.resume(
    JSON.parse(JSON.stringify(snapshot)),
    { [`${run.runId}/c1`]: { approved } },
    metadata && ({ metadata } as never),
  );
  await new Promise<void>((resolve, reject) => resumed$.subscribe({ error: reject, complete: resolve }));
}

describe('otel: spans of hooks and decisions', () => {
  withContextManager();

  const rewriter = defineHook({
    name: 'rewriter',
    on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path: '/tmp' } } }) },
  });
  const idle = defineHook({ name: 'idle', on: { preActing() {}, preReasoning() {} }, approve: () => verdict.allow() });
  const slow = defineHook({ name: 'slow', on: { preCall: () => timer(550).pipe(map(() => undefined)) } });
  const broken = defineHook({
    name: 'broken',
    onFailure: 'skip',
    on: {
      postActing() {
        throw new Error('no');
      },
    },
  });
  const guard = defineHook({ name: 'guard', approve: () => verdict.deny('not here') });

  it('has spans of hooks that were slow, failed, changed or decided, and of no others', async () => {
    const { sdk, agent, hookSpans } = house([rewriter, idle, slow, broken, guard], { slowMs: 500 });
    await agent.call('go');
    expect(hookSpans()).to.have.members([
      'hook on.preCall slow: pass',
      'hook on.preActing rewriter: modify',
      'hook approve guard: deny',
      'hook on.postActing broken: error',
    ]);
    expect(sdk.span('hook on.preActing rewriter').attributes).to.deep.include({
      'hookline.changed_paths': ['toolCall.input.path'],
      'hookline.stage': 'on.preActing',
      'hookline.handler.name': 'rewriter',
      'hookline.handler.priority': 100,
    });
    expect(sdk.span('hook approve guard').attributes['hookline.decision']).to.equal('deny');
    const failed = sdk.span('hook on.postActing broken');
    expect(failed.status.code).to.equal(SpanStatusCode.ERROR);
    expect(failed.attributes['error.type']).to.equal('error');
    const parent = sdk.span('invoke_agent scout').spanContext().spanId;
    for (const span of sdk.spans().filter(({ name }) => name.startsWith('hook ')))
      expect(span.parentSpanContext?.spanId, span.name).to.equal(parent);
    const took = sdk.span('hook on.preCall slow').duration;
    expect(took[0] * 1_000 + took[1] / 1e6).to.be.within(500, 5_000);
  });

  it('has spans of all hooks, or of none', async () => {
    const all = house([idle], { hooks: 'all' });
    await all.agent.call('go');
    expect(all.hookSpans()).to.include.members(['hook on.preActing idle: pass', 'hook approve idle: pass']);
    const none = house([rewriter, guard], { hooks: 'off' });
    await none.agent.call('go');
    expect(none.hookSpans()).to.deep.equal([]);
  });

  it('has one span for the changes of a hook to a stream', async () => {
    const upper = defineHook({
      name: 'upper',
      on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }) },
    });
    const sdk = memorySdk();
    const pipeline = createPipeline([otel({ tracerProvider: sdk.tracerProvider }), upper]);
    const chunks = ['a', 'b', 'c'].map((delta) => ({ type: 'text', delta }) as const);
    const agent = createAgent({ name: 'scout', model: () => of(...chunks), pipeline });
    await agent.call('go');
    expect(sdk.tree()).to.deep.equal([{ 'invoke_agent scout': [{ chat: ['hook on.reasoningChunk upper'] }] }]);
  });

  it('measures the handlers', async () => {
    const { sdk, agent } = house([rewriter, guard]);
    await agent.call('go');
    const handled = (await sdk.points()).filter(({ name }) => name === 'hookline.handler.duration');
    expect(handled.map(({ attributes }) => attributes)).to.deep.include.members([
      { 'hookline.stage': 'on.preActing', 'hookline.handler.name': 'rewriter', 'hookline.outcome': 'modify' },
      { 'hookline.stage': 'approve', 'hookline.handler.name': 'guard', 'hookline.outcome': 'deny' },
    ]);
  });

  it('tells a denied call from one that the model never requested', async () => {
    const { sdk, agent } = house([guard]);
    await agent.call('go');
    expect(sdk.names().filter((name) => name.startsWith('execute_tool'))).to.deep.equal([]);
    expect(eventsOf(sdk)).to.deep.equal([
      {
        name: 'hookline.tool.decision',
        'hookline.tool.decision': 'deny',
        'gen_ai.tool.name': 'wipe',
        'gen_ai.tool.call.id': 'c1',
        'hookline.decision.by': 'guard',
        'hookline.decision.source': 'policy',
      },
    ]);
  });

  it('records a handler that denies, one that responds, and a tool that does not exist', async () => {
    const denied = house([defineHook({ name: 'h', on: { preActing: (event) => deny(event, 'no') } })]);
    await denied.agent.call('go');
    expect(eventsOf(denied.sdk)[0]).to.include({ 'hookline.tool.decision': 'deny', 'hookline.decision.by': 'h' });

    const answered = house([
      defineHook({ name: 'h', on: { preActing: (event) => respond(event, { content: 'x', isError: false }) } }),
    ]);
    await answered.agent.call('go');
    expect(eventsOf(answered.sdk)[0]).to.include({ 'hookline.tool.decision': 'respond' });

    const sdk = memorySdk();
    const pipeline = createPipeline([otel({ tracerProvider: sdk.tracerProvider })]);
    await createAgent({ name: 'scout', model, pipeline }).call('go');
    expect(eventsOf(sdk)).to.deep.equal([
      {
        name: 'hookline.tool.outcome',
        'hookline.tool.outcome': 'failed',
        'gen_ai.tool.name': 'wipe',
        'gen_ai.tool.call.id': 'c1',
      },
    ]);
  });

  for (const [approved, outcome] of [
    [true, 'approve'],
    [false, 'deny'],
  ] as const)
    it(`has a span of the wait for a person who answers ${outcome}`, async () => {
      const ask = async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return { approved, by: 'ann' };
      };
      const { sdk, agent } = house([dangerousConfirmation({ permissions: ['external'] }, { ask })], {
        slowMs: 10_000,
      });
      await agent.call('go');
      const span = sdk.span('approval wipe');
      expect(span.attributes).to.include({
        'hookline.approval.outcome': outcome,
        'hookline.approval.source': 'human',
        'gen_ai.tool.name': 'wipe',
        'gen_ai.tool.call.id': 'c1',
      });
      expect(JSON.stringify(span.attributes)).not.to.include('ann');
      expect(span.duration[1] / 1e6).to.be.within(20, 500);
      const [waited] = (await sdk.points()).filter(({ name }) => name === 'hookline.approval.wait.duration');
      expect(waited?.attributes).to.deep.equal({
        'hookline.approval.outcome': outcome,
        'hookline.approval.source': 'human',
        'gen_ai.tool.name': 'wipe',
      });
      if (!approved) expect(eventsOf(sdk)[0]).to.include({ 'hookline.decision.source': 'human' });
    });

  it('takes the ID of an approval from the metadata of resumed runs only', async () => {
    const ask = async () => ({ approved: true, by: 'ann' });
    const { sdk, agent } = house([dangerousConfirmation({ permissions: ['external'] }, { ask })]);
    await agent.call('go', { metadata: { approvals: [{ toolCallId: 'c1', id: 'forged' }] } });
    expect(sdk.span('approval wipe').attributes['hookline.approval.id']).to.equal('c1');
  });

  it('names the timeout of an approver as the source', async () => {
    const never = defineHook({ name: 'never', timeoutMs: 20, approve: () => new Promise<never>(() => {}) });
    const { sdk, agent } = house([never]);
    await agent.call('go');
    expect(eventsOf(sdk)[0]).to.include({ 'hookline.decision.source': 'timeout' });
    expect(sdk.span('approval wipe').attributes).to.include({
      'hookline.approval.outcome': 'deny',
      'hookline.approval.source': 'timeout',
    });
  });

  it('links a resumed run to the suspended one, and has the wait between them', async () => {
    const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('Wipe?') });
    const { sdk, agent } = house([asks]);
    await suspendAndResume(agent, true);
    const [first, second] = sdk.spans().filter(({ name }) => name === 'invoke_agent scout');
    expect(first?.attributes['hookline.run.outcome']).to.equal('suspended');
    expect(second?.links.map((link) => link.context.spanId)).to.deep.equal([first?.spanContext().spanId]);
    expect(second?.attributes['hookline.run.resumed_from']).to.equal(first?.attributes['hookline.run.id']);
    expect(first?.events.map(({ name }) => name)).to.deep.equal(['hookline.tool.decision']);
    const span = sdk.span('approval wipe');
    expect(span.parentSpanContext?.spanId).to.equal(second?.spanContext().spanId);
    expect(span.attributes).to.include({ 'hookline.approval.outcome': 'approve', 'hookline.approval.source': 'human' });
    expect(span.duration[1] / 1e6).to.be.within(15, 500);
    const pending = (await sdk.points()).filter(({ name }) => name === 'hookline.approvals.pending');
    expect(pending.map(({ value }) => value)).to.deep.equal([0]);
    expect(sdk.names().filter((name) => name === 'execute_tool wipe')).to.have.length(1);
    expect(sdk.open.size).to.equal(0);
  });

  it('names the person who declined a suspended call as the source', async () => {
    const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('Wipe?') });
    const { sdk, agent } = house([asks]);
    await suspendAndResume(agent, false);
    const second = sdk.spans().filter(({ name }) => name === 'invoke_agent scout')[1];
    expect(second?.events[0]?.attributes).to.include({
      'hookline.tool.decision': 'deny',
      'hookline.decision.source': 'human',
    });
    expect(sdk.span('approval wipe').attributes['hookline.approval.outcome']).to.equal('deny');
  });
});
