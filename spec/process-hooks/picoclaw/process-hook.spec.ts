import { expect } from 'chai';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import {
  createAgent,
  createPipeline,
  type Delivery,
  defineHook,
  type PostActing,
  type SettledEvent,
  verdict,
} from '../../../lib/index.ts';
import { processHook } from '../../../lib/process-hooks/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { processScene, type Replies } from './scene.ts';

const all = <T>(source: Observable<T>): Promise<T[]> => lastValueFrom(source.pipe(toArray()));
const open: { close(): Promise<void> }[] = [];

/** Runs an agent with a process hook of these replies. It calls `echo` once and then says done. */
async function run(
  replies: Replies,
  options: Parameters<typeof processScene>[1] = {},
  more: { hooks?: ReturnType<typeof defineHook>[]; deliver?: (delivery: Delivery) => unknown; call?: string } = {},
) {
  const scene = processScene(replies, options);
  open.push(scene);
  // The start time of a process must not count for the short timeouts of these specs.
  await lastValueFrom(scene.hook.start(), { defaultValue: undefined });
  const model = scriptedModel([
    { text: 'I will.', toolCalls: [{ name: more.call ?? 'echo', input: { text: 'hello' } }] },
    'done',
  ]);
  const tool = scriptedTool({ name: 'echo', result: 'echoed' });
  const agent = createAgent({
    name: 'a',
    model,
    tools: [tool],
    pipeline: createPipeline([scene.hook, ...(more.hooks ?? [])]),
    ...(more.deliver && { deliver: more.deliver }),
  });
  const events = await all(
    agent.run('hi', {
      sessionId: 's',
      userId: 'u',
      metadata: { channel: 'cli', chat_id: 'chat-1' },
    }) as Observable<SettledEvent>,
  );
  const of = <T extends SettledEvent['type']>(type: T) =>
    events.filter((event) => event.type === type) as Extract<SettledEvent, { type: T }>[];
  return { ...scene, model, tool, events, of, acted: of('postActing')[0] as PostActing, end: of('postCall')[0] };
}

describe('a PicoClaw process hook', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((scene) => scene.close()));
  });

  it('receives hello first, then each step with the fields of all generations', async () => {
    const { frames, hook } = await run({ 'hook.approve_tool': { approved: true } }, { observe: ['turn_end'] });
    await hook.stop();
    const [hello, ...rest] = frames();
    expect(hello).to.deep.equal({
      jsonrpc: '2.0',
      id: 1,
      method: 'hook.hello',
      params: { name: 'remote', version: 1, modes: ['observe', 'llm', 'tool', 'approve'], protocols: [1, 2] },
    });
    expect(rest.map(({ id, method }) => [id, method])).to.deep.equal([
      [2, 'hook.before_llm'],
      [3, 'hook.after_llm'],
      [4, 'hook.before_tool'],
      [5, 'hook.approve_tool'],
      [6, 'hook.after_tool'],
      [7, 'hook.before_llm'],
      [8, 'hook.after_llm'],
      [undefined, 'hook.runtime_event'],
    ]);
    const { meta, context, ...call } = frames('hook.before_tool')[0]?.params ?? {};
    expect(call).to.deep.equal({
      channel: 'cli',
      chat_id: 'chat-1',
      tool: 'echo',
      arguments: { text: 'hello' },
      tool_call_id: (call as { tool_call_id: string }).tool_call_id,
    });
    expect(meta).to.include({
      AgentID: 'a',
      SessionKey: 's',
      Iteration: 1,
      TracePath: 'turn.tool.before',
      Source: 'runTurn',
    });
    expect((context as { inbound: object }).inbound).to.deep.equal({
      channel: 'cli',
      chat_id: 'chat-1',
      sender_id: 'u',
    });
    const response = frames('hook.after_llm')[0]?.params['response'] as {
      tool_calls: { function: object }[];
      content: string;
    };
    expect(response.content).to.equal('I will.');
    expect(response.tool_calls[0]?.function).to.deep.equal({ name: 'echo', arguments: '{"text":"hello"}' });
    expect(frames('hook.after_tool')[0]?.params['result']).to.deep.equal({
      for_llm: 'echoed',
      silent: false,
      is_error: false,
      async: false,
    });
  });

  it('changes the request, the answer, the call and the result', async () => {
    const { model, tool, acted, end } = await run({
      'hook.approve_tool': { approved: true },
      'hook.before_llm': { action: 'modify', request: { model: 'other', messages: [{ role: 'user', content: 'HI' }] } },
      'hook.before_tool': { Action: 'modify', Call: { tool: 'echo', arguments: { text: 'ipc' } } },
      'hook.after_tool': { action: 'modify', result: { result: { for_llm: 'ipc:ipc' } } },
      'hook.after_llm': [{}, { action: 'modify', response: { response: { content: 'changed' } } }],
    });
    expect(model.requests[0]).to.deep.include({
      model: 'other',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'HI' }] }],
    });
    expect(tool.calls[0]?.input).to.deep.equal({ text: 'ipc' });
    expect(acted.result.content).to.equal('ipc:ipc');
    expect(end?.message?.parts).to.deep.equal([{ type: 'text', text: 'changed' }]);
  });

  it('accepts a flat result, and an echo of everything as no change', async () => {
    const flat = await run({
      'hook.approve_tool': { approved: true },
      'hook.after_tool': { result: { for_llm: 'flat' } },
    });
    expect(flat.acted.result.content).to.equal('flat');
    const echo = await run({
      'hook.approve_tool': { approved: true },
      'hook.after_llm': { action: 'modify', response: { response: { content: 'I will.' } } },
    });
    expect(echo.acted.outcome).to.equal('executed');
  });

  it('resolves a renamed tool by its new name', async () => {
    const { acted } = await run(
      { 'hook.approve_tool': { approved: true }, 'hook.before_tool': { action: 'modify', call: { tool: 'echo' } } },
      {},
      { call: 'alias' },
    );
    expect([acted.toolCall.name, acted.outcome, acted.toolCall.input]).to.deep.equal([
      'echo',
      'executed',
      { text: 'hello' },
    ]);
  });

  for (const [what, replies, outcome, content] of [
    [
      'a denial by before_tool',
      { 'hook.before_tool': { action: 'deny_tool', reason: 'not today' } },
      'denied',
      /not today/,
    ],
    ['a denial by approve_tool', { 'hook.approve_tool': { approved: false, reason: 'blocked' } }, 'denied', /blocked/],
    ['an approval without a verdict', { 'hook.approve_tool': {} }, 'denied', /gave no verdict/],
    [
      'arguments that are not an object',
      { 'hook.before_tool': { action: 'modify', call: { arguments: '{}' } } },
      'denied',
      /must be|remote/,
    ],
    ['an action that is not a string', { 'hook.before_tool': { action: 5 } }, 'denied', /must be|remote/],
    ['an approval that fails', { 'hook.approve_tool': { error: { code: 1, message: 'x' } } }, 'denied', /remote/],
    ['an approver that does not answer', { 'hook.approve_tool': null }, 'denied', /remote/],
    ['an approver that exits', { 'hook.approve_tool': 'exit' }, 'denied', /remote/],
    ['a respond without a result', { 'hook.before_tool': { action: 'respond' } }, 'denied', /without a result/],
    ['a before_tool that fails', { 'hook.before_tool': { error: { code: 1, message: 'x' } } }, 'executed', /echoed/],
    ['a before_tool that does not answer', { 'hook.before_tool': null }, 'executed', /echoed/],
    ['an unknown action', { 'hook.before_tool': { action: 'explode', call: { tool: 'x' } } }, 'executed', /echoed/],
  ] as const) {
    it(`ends a call as ${outcome} on ${what}`, async () => {
      const { acted, tool } = await run(
        { 'hook.approve_tool': { approved: true }, ...replies },
        {
          ...(/must be/.test(content.source) && { onFailure: 'block' }),
          timeouts: { interceptorMs: 300, approvalMs: 300 },
        },
      );
      expect(acted.outcome).to.equal(outcome);
      expect(acted.result.content).to.match(content);
      expect(tool.calls).to.have.length(outcome === 'executed' ? 1 : 0);
    });
  }

  for (const [what, result] of [
    ['a string', 'deny'],
    ['a list', [{ action: 'deny_tool' }]],
    ['a number', 0],
    ['a boolean', true],
  ] as const) {
    for (const onFailure of ['block', 'skip'] as const) {
      it(`answers a failure with ${onFailure} on a reply that is ${what}`, async () => {
        const { acted, of } = await run(
          { 'hook.before_tool': [result] },
          { intercept: ['before_tool'], profile: 'hookline', onFailure },
        );
        const issue = `Hook process "remote" answered hook.before_tool with ${what}; a result must be an object.`;
        expect(acted.outcome).to.equal(onFailure === 'block' ? 'denied' : 'executed');
        expect(of('error').map(({ error }) => error.message)).to.have.length(1);
        expect(of('error')[0]?.error.message).to.include(issue);
      });
    }

    it(`does not approve on a reply that is ${what}, and reports it`, async () => {
      const { acted, of } = await run({ 'hook.approve_tool': [result] }, { intercept: ['approve_tool'] });
      const issue = `Hook process "remote" answered hook.approve_tool with ${what}; a result must be an object.`;
      expect(acted.outcome).to.equal('denied');
      expect(of('error').map(({ error }) => error.message)).to.have.length(1);
      expect(of('error')[0]?.error.message).to.include(issue);
    });

    it(`does not start on a welcome that is ${what}`, async () => {
      const { hook } = processScene({ 'hook.hello': [result] });
      try {
        await lastValueFrom(hook.start(), { defaultValue: undefined });
        expect.fail('it has started');
      } catch (thrown) {
        expect((thrown as Error).message).to.equal(
          `Hook process "remote" answered hook.hello with ${what}; a result must be an object.`,
        );
      } finally {
        await hook.stop();
      }
    });
  }

  it('continues on an empty reply and on {}', async () => {
    for (const reply of ['null', '{}', undefined]) {
      const program = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        console.log('{"id":' + JSON.parse(line).id + '${reply === undefined ? '' : `,"result":${reply}`}}');
      });`;
      const { acted } = await run(
        {},
        { command: [process.execPath, '-e', program], intercept: ['before_tool'], onFailure: 'block' },
      );
      expect(acted.outcome, reply).to.equal('executed');
    }
  });

  it('responds instead of a tool, after later hooks and approval, and is not called afterwards', async () => {
    const respond = {
      'hook.before_tool': {
        action: 'respond',
        result: { for_llm: 'here', for_user: 'look', media: ['media://1'], response_handled: true },
      },
      'hook.approve_tool': { approved: true },
    };
    const delivered: Delivery[] = [];
    const deliver = (delivery: Delivery) => delivered.push(delivery);
    const mine = await run(respond, {}, { deliver });
    expect([mine.acted.outcome, mine.tool.calls.length]).to.deep.equal(['responded', 0]);
    expect(mine.frames('hook.after_tool')).to.deep.equal([]);
    expect(mine.end?.outcome).to.equal('finished');
    expect(delivered.map(({ text, media }) => [text, media])).to.deep.equal([['look', [{ url: 'media://1' }]]]);
    const guard = defineHook({ name: 'guard', approve: () => verdict.deny('policy') });
    const guarded = await run(respond, {}, { hooks: [guard] });
    expect([guarded.acted.outcome, guarded.acted.result.content]).to.deep.equal([
      'denied',
      guarded.acted.result.content,
    ]);
    expect(guarded.acted.result.content).to.match(/policy/);
  });

  it('aborts with its reason, and rolls back on hard_abort', async () => {
    const soft = await run({ 'hook.before_llm': { action: 'abort_turn', reason: 'enough' } });
    expect([soft.end?.outcome, soft.end?.reason]).to.deep.equal(['aborted', 'hook "remote": enough']);
    const hard = await run({ 'hook.before_tool': { action: 'hard_abort' }, 'hook.approve_tool': { approved: true } });
    expect(hard.end?.outcome).to.equal('aborted');
  });

  it('keeps tools and system messages like its host', async () => {
    const replies = {
      'hook.approve_tool': { approved: true },
      'hook.before_llm': { action: 'modify', request: { tools: [], messages: [{ role: 'system', content: 'x' }] } },
    };
    const kept = await run(replies, { dialect: { changes: 'keep' } });
    expect(kept.model.requests[0]?.tools).to.have.length(1);
    expect(kept.model.requests[0]?.messages).to.have.length(1);
    const applied = await run(replies);
    expect(applied.model.requests[0]?.tools).to.deep.equal([]);
  });

  it('reports replies without effect, and accepts the wrong dialect only as configured', async () => {
    const wrong = { 'hook.approve_tool': { approved: true }, 'hook.before_tool': { args: { text: 'x' } } };
    const plain = await run(wrong);
    expect(plain.logged.join('\n')).to.include('replied with args, which have no effect');
    expect(plain.tool.calls[0]?.input).to.deep.equal({ text: 'hello' });
    const aliased = await run(wrong, { dialect: { aliases: true } });
    expect(aliased.tool.calls[0]?.input).to.deep.equal({ text: 'x' });
  });

  it('receives events by old and new names, in either format', async () => {
    const { frames, hook } = await run(
      { 'hook.approve_tool': { approved: true } },
      { intercept: [], observe: ['turn_start', 'agent.tool.exec_end', '*'], dialect: { events: 'both' } },
    );
    await hook.stop();
    const kinds = frames('hook.runtime_event').map(({ params }) => params['kind']);
    expect(kinds).to.deep.equal([
      'agent.turn.start',
      'agent.llm.request',
      'agent.llm.response',
      'agent.tool.exec_start',
      'agent.tool.exec_end',
      'agent.llm.request',
      'agent.llm.response',
      'agent.turn.end',
    ]);
    expect(frames('hook.event').map(({ params }) => params['Kind'])).to.deep.equal([0, 2, 4, 8, 9, 2, 4, 1]);
  });

  it('restarts after its end, and its failure policy applies meanwhile', async () => {
    const scene = processScene({ 'hook.before_tool': ['exit'] }, { intercept: ['before_tool'], onFailure: 'block' });
    open.push(scene);
    const tool = scriptedTool({ name: 'echo', result: 'echoed' });
    const pipeline = createPipeline([scene.hook]);
    const act = async () =>
      (
        await all(
          pipeline.start({ agent: 'a' }).act({ id: 'c', name: 'echo', input: {} }, [tool]) as Observable<SettledEvent>,
        )
      ).at(-1) as PostActing;
    expect((await act()).outcome).to.equal('denied');
    expect((await act()).outcome).to.equal('denied');
    for (let tries = 0; scene.frames('hook.hello').length < 2 && tries < 400; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 25));
    // A new process starts its list of replies again. The second one receives no request that ends it.
    expect(scene.frames('hook.hello')).to.have.length(2);
  });

  it('accepts the longest timeout of a timer', () => {
    const timeouts = { approvalMs: 2 ** 31 - 1 };
    expect(() => processHook({ name: 'h', command: ['true'], intercept: ['approve_tool'], timeouts })).not.to.throw();
  });

  for (const [what, options, issue] of [
    ['no command', { command: [] }, /command is required/],
    ['an unknown intercept', { intercept: ['before_lunch' as never] }, /intercept/],
    ['an unknown event', { observe: ['turn_middle'] }, /unsupported observe event "turn_middle"/],
    ['nothing to do', { intercept: [], observe: [] }, /no hook modes enabled/],
    ['an unknown option', { timeout: 5 } as object, /timeout/],
    ['a timeout above the timer limit', { timeouts: { approvalMs: 2 ** 31 } }, /2147483647[\s\S]*approvalMs/],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(() =>
        processHook({ name: 'h', command: ['true'], intercept: ['before_tool'], ...options } as never),
      ).to.throw(issue);
    });
  }
});
