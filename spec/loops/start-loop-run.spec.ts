import { expect } from 'chai';
import { z } from 'zod';
import {
  abort,
  createPipeline,
  defineHook,
  defineTool,
  type EventOf,
  finish,
  type HookDefinition,
  modify,
  respond,
  retry,
  type ToolCall,
  textOf,
  toolCallsOf,
  userMessage,
  verdict,
} from '../../lib/index.ts';
import {
  type HostAnswer,
  type LoopRunOptions,
  memoryPendingCallStore,
  type PendingCallRecord,
  pendingCallStore,
  RunAborted,
  startLoopRun,
} from '../../lib/loops/index.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { recorder, type ScriptTurn, scriptedModel, scriptedTool, toolCall } from '../../lib/testing/index.ts';

const question = [userMessage('go')];
const looks: ScriptTurn = { text: 'Looking.', toolCalls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] };

function loop(
  hooks: readonly HookDefinition[],
  turns: readonly (ScriptTurn | string)[] = [],
  options?: Partial<LoopRunOptions>,
) {
  const recorded = recorder();
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded]);
  const model = scriptedModel(turns);
  const tool = scriptedTool({ name: 'look', result: 'seen' });
  return { run: startLoopRun(pipeline, { agent: 'other', ...options }), model, tool, recorded };
}

const rejection = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail('it should have been rejected'),
    (thrown) => thrown,
  );

describe('a run of another loop', () => {
  it('requires its fields', () => {
    for (const [given, said] of [
      [[[], { agent: 'a' }], 'the first argument must be a pipeline'],
      [[createPipeline([])], "the second argument must contain agent, such as { agent: 'support' }"],
      [[createPipeline([]), { agnet: 'a' }], 'must contain agent'],
    ] as const)
      expect(() => startLoopRun(...(given as unknown as Parameters<typeof startLoopRun>)), said).to.throw(said);
  });

  it('emits begin, model steps, calls and one end', async () => {
    const { run, model, tool, recorded } = loop([], [looks, 'Done.']);
    const { messages } = await run.begin(question);
    const first = await run.reason({ messages }, model);
    const [call] = toolCallsOf(first.message);
    const judged = await run.judge(call as never, [tool]);
    expect((await judged.execute())?.result.content).to.equal('seen');
    const last = await run.reason({ messages }, model);
    expect(textOf(last.message)).to.equal('Done.');
    const post = await run.end();
    expect([post?.outcome, textOf(post?.message)]).to.deep.equal(['completed', 'Done.']);
    expect(await run.end({ error: new Error('late') })).to.equal(post);
    expect(recorded.of('postCall')).to.have.length(1);
  });

  it('closes calls that the loop has dropped, at the next model step and at the end', async () => {
    const { run, model, recorded } = loop([], [looks, looks]);
    await run.begin(question);
    await run.reason({ messages: question }, model);
    await run.reason({ messages: question }, model);
    await run.end();
    const closed = recorded.of('postActing').map(({ outcome, result }) => [outcome, result.content]);
    expect(closed).to.deep.equal([
      ['skipped', 'The call was not started: the loop continued without running it.'],
      ['skipped', 'The call was not started: the run has ended.'],
    ]);
  });

  it('closes calls that were judged but never executed', async () => {
    const { run, model, tool, recorded } = loop([], [looks]);
    await run.begin(question);
    const { message } = await run.reason({ messages: question }, model);
    await run.judge(toolCallsOf(message)[0] as never, [tool]);
    await run.end();
    expect(recorded.lines('postActing')).to.have.length(1);
    expect(recorded.of('postActing')[0]?.outcome).to.equal('skipped');
    expect(tool.calls).to.be.empty;
  });

  it('repeats the model request for a hook, with the calls of the first answer closed', async () => {
    const once = (event: EventOf<'postReasoning'>) =>
      event.iteration === 1 ? retry(event, [userMessage('again')]) : undefined;
    const { run, model } = loop([{ name: 'once', on: { postReasoning: once } }], [looks, 'Better.']);
    await run.begin(question);
    const { message } = await run.reason({ messages: question }, model);
    expect(textOf(message)).to.equal('Better.');
    const prompt = model.requests[1]?.messages ?? [];
    expect(prompt.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'user']);
  });

  it('returns the message without calls if a hook finishes, and reports it', async () => {
    const { run, model, recorded } = loop(
      [{ name: 'enough', on: { postReasoning: (event) => finish(event) } }],
      [looks],
    );
    await run.begin(question);
    const reasoned = await run.reason({ messages: question }, model);
    expect([toolCallsOf(reasoned.message).length, reasoned.finished, run.finishing]).to.deep.equal([0, true, true]);
    expect((await run.end())?.outcome).to.equal('finished');
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['skipped']);
  });

  it("returns a hook's answer instead of the loop's", async () => {
    const { run } = loop([{ name: 'me', on: { preCall: (event) => respond(event, 'mine') } }]);
    expect(textOf((await run.begin(question)).answer)).to.equal('mine');
    expect((await run.end())?.outcome).to.equal('responded');
  });

  for (const [what, on] of [
    ['preCall', { preCall: (event: never) => abort(event, 'no') }],
    ['preReasoning', { preReasoning: (event: never) => abort(event, 'no') }],
    ['reasoningChunk', { reasoningChunk: (event: never) => abort(event, 'no') }],
    ['postReasoning', { postReasoning: (event: never) => abort(event, 'no') }],
    ['preActing', { preActing: (event: never) => abort(event, 'no') }],
    ['postActing', { postActing: (event: never) => abort(event, 'no') }],
  ] as const) {
    it(`rejects with the decision if a hook aborts at ${what}, and stops all further work`, async () => {
      const { run, model, tool } = loop([{ name: 'stop', on: on as never }], [looks, 'never']);
      const all = async () => {
        const { messages } = await run.begin(question);
        const { message } = await run.reason({ messages }, model);
        await (await run.judge(toolCallsOf(message)[0] as never, [tool])).execute();
      };
      const error = await rejection(all());
      expect(error).to.be.instanceOf(RunAborted);
      expect((error as RunAborted).decision).to.include({ by: 'stop', reason: 'no' });
      expect([run.signal.aborted, run.signal.reason]).to.deep.equal([true, error]);
      expect(await rejection(run.reason({ messages: question }, model))).to.equal(error);
      expect(await rejection(run.judge(toolCall('look'), [tool]))).to.equal(error);
      expect((await run.end())?.outcome).to.equal('aborted');
    });
  }

  it('ends one call by its signal, and no other', async () => {
    const { run, recorded } = loop([]);
    const never = scriptedTool({ name: 'never', never: true });
    const look = scriptedTool({ name: 'look', result: 'seen' });
    const stop = new AbortController();
    await run.begin(question);
    const first = await run.judge({ id: 'c1', name: 'never', input: {} }, [never, look], { signal: stop.signal });
    const running = first.execute();
    const second = await run.judge({ id: 'c2', name: 'look', input: {} }, [never, look], { signal: stop.signal });
    const beside = await run.judge({ id: 'c3', name: 'look', input: {} }, [never, look]);
    stop.abort(new Error('enough'));
    expect((await running)?.result.content).to.contain('enough');
    expect(never.calls.map(({ state }) => state)).to.deep.equal(['cancelled']);
    expect([(await second.execute())?.outcome, (await beside.execute())?.outcome]).to.deep.equal([
      'skipped',
      'executed',
    ]);
    expect((await run.end())?.outcome).to.equal('completed');
    expect(recorded.of('postActing')).to.have.length(3);
  });

  it('ends the siblings of a call that aborts', async () => {
    const stop = (event: { toolCall: { id: string } }) =>
      event.toolCall.id === 'c2' ? abort(event as never, 'no') : undefined;
    const { run, recorded } = loop([{ name: 'stop', on: { postActing: stop as never } }]);
    const never = scriptedTool({ name: 'never', never: true });
    const look = scriptedTool({ name: 'look', result: 'seen' });
    await run.begin(question);
    const first = await run.judge({ id: 'c1', name: 'never', input: {} }, [never, look]);
    const running = rejection(first.execute());
    const second = await run.judge({ id: 'c2', name: 'look', input: {} }, [never, look]);
    expect(await rejection(second.execute())).to.be.instanceOf(RunAborted);
    expect(await running).to.be.instanceOf(RunAborted);
    expect(never.calls.map(({ state }) => state)).to.deep.equal(['cancelled']);
    await run.end();
    expect(recorded.of('postActing')).to.have.length(2);
  });

  it('closes a call that its loop adds after an abort', async () => {
    const stop = (event: { toolCall: { id: string } }) => abort(event as never, 'no');
    const both: ScriptTurn = {
      text: 'Looking.',
      toolCalls: ['c1', 'c2'].map((id) => ({ id, name: 'look', input: {} })),
    };
    const { run, model, tool, recorded } = loop([{ name: 'stop', on: { postActing: stop as never } }], [both]);
    const { messages } = await run.begin(question);
    const [first, second] = toolCallsOf((await run.reason({ messages }, model)).message);
    const judged = await run.judge(first as never, [tool]);
    expect(await rejection(judged.execute())).to.be.instanceOf(RunAborted);
    expect(await rejection(run.judge(second as never, [tool]))).to.be.instanceOf(RunAborted);
    await run.end();
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed', 'skipped']);
  });

  it('is cancelled by its signal, and reports it', async () => {
    const stop = new AbortController();
    const { run, model } = loop([], ['never'], { signal: stop.signal });
    await run.begin(question);
    stop.abort(new Error('the user left'));
    expect((await rejection(run.reason({ messages: question }, model))).message).to.equal('the user left');
    const post = await run.end();
    expect(post?.outcome).to.equal('cancelled');
  });

  it('rejects with the error of a failed model', async () => {
    const { run, model, recorded } = loop([], [{ error: 'overloaded' }]);
    await run.begin(question);
    expect((await rejection(run.reason({ messages: question }, model))).message).to.contain('overloaded');
    expect((await run.end())?.outcome).to.equal('failed');
    expect(recorded.of('error')).to.have.length(1);
  });

  it('retries a failed model if its host does, with hooks around each attempt, and ends once', async () => {
    const turns = [{ error: 'overloaded' }, { error: 'still overloaded' }, looks, 'Done.'];
    const { run, model, tool, recorded } = loop([], turns);
    await run.begin(question);
    for (const why of ['overloaded', 'still overloaded'])
      expect((await rejection(run.reason({ messages: question }, model))).message).to.contain(why);
    expect(run.signal.aborted).to.equal(false);
    const { message } = await run.reason({ messages: question }, model);
    const judged = await run.judge(toolCallsOf(message)[0] as never, [tool]);
    expect((await judged.execute())?.outcome).to.equal('executed');
    await run.reason({ messages: question }, model);
    expect((await run.end())?.outcome).to.equal('completed');
    expect(recorded.of('preReasoning').map(({ iteration }) => iteration)).to.deep.equal([1, 2, 3, 4]);
    expect([recorded.of('error').length, recorded.of('postCall').length]).to.deep.equal([2, 1]);
  });

  it("fails with the error of a model, reported once, regardless of its host's outcome", async () => {
    for (const ending of [{}, { error: new Error('gave up') }, { outcome: 'completed' as const }]) {
      const { run, model, recorded } = loop([], [{ error: 'overloaded' }]);
      await run.begin(question);
      await rejection(run.reason({ messages: question }, model));
      const post = await run.end(ending);
      expect([post?.outcome, post?.reason]).to.deep.equal(['failed', recorded.of('error')[0]?.error.message]);
      expect(recorded.of('error')).to.have.length(1);
    }
  });

  it('repeats no model request after a hook has failed or aborted', async () => {
    const fails = () => {
      throw new Error('broken');
    };
    const stops = (event: EventOf<'preReasoning'>) => (event.iteration === 2 ? abort(event, 'enough') : undefined);
    for (const [preReasoning, asked] of [
      [fails, 0],
      [stops, 1],
    ] as const) {
      const { run, model } = loop([{ name: 'h', on: { preReasoning } }], [{ error: 'overloaded' }, 'never']);
      await run.begin(question);
      const first = await rejection(run.reason({ messages: question }, model));
      const second = await rejection(run.reason({ messages: question }, model));
      expect(await rejection(run.reason({ messages: question }, model))).to.equal(second);
      expect([first === second, model.requests.length]).to.deep.equal([asked === 0, asked]);
    }
  });

  it('reports the error of its host', async () => {
    const { run, recorded } = loop([]);
    await run.begin(question);
    const post = await run.end({ error: new Error('the host broke') });
    expect([post?.outcome, post?.reason]).to.deep.equal(['failed', 'the host broke']);
    expect(recorded.of('error').map(({ error }) => error.message)).to.deep.equal(['the host broke']);
  });

  it('has no end if it never began', async () => {
    const { run, recorded } = loop([]);
    expect(await run.end()).to.equal(undefined);
    expect(recorded.events).to.be.empty;
  });
});

describe('a suspended call of another loop', () => {
  const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Really?') };
  const moves: HookDefinition = {
    name: 'moves',
    on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: '/safe' } } }) },
  };
  const shown = toolCall('look', { at: 'x' });

  it('continues in another run with the stored call, which is the judged one', async () => {
    const pending = pendingCallStore(memoryStateStore());
    const first = loop([moves, asks], [], { pendingCalls: pending });
    await first.run.begin(question);
    const call = await first.run.judge(shown, [first.tool]);
    expect([call.state, call.pending?.call.judged.input]).to.deep.equal(['suspended', { at: '/safe' }]);
    expect((await first.run.end())?.outcome).to.equal('suspended');

    const kept = await pending.take({ agent: 'other' }, shown.id);
    const next = loop([moves, asks], [], { pendingCalls: pending, ...(kept && { resumes: kept }) });
    await next.run.begin(question);
    const again = await next.run.judge(shown, [next.tool], {
      answer: { approved: true, ...(kept && { pending: kept }) },
    });
    expect((await again.execute())?.outcome).to.equal('executed');
    expect(next.tool.calls.map(({ input }) => input)).to.deep.equal([{ at: '/safe' }]);
    expect(next.recorded.of('preCall')[0]?.run.resumedFrom).to.equal(first.run.run.info.runId);
  });

  it('is no longer pending after its answer in the same run', async () => {
    const { run, tool } = loop([asks]);
    await run.begin(question);
    const pending = (await run.judge(shown, [tool])).pending;
    await (await run.judge(shown, [tool], { answer: { approved: true, ...(pending && { pending }) } })).execute();
    expect((await run.end())?.outcome).to.equal('completed');
  });

  it('continues in a run that names its origin if nothing is stored', async () => {
    const { run, recorded } = loop([], [], { resumedFrom: 'an earlier run' });
    await run.begin([]);
    expect(recorded.of('preCall')[0]?.run.resumedFrom).to.equal('an earlier run');
  });

  it('accepts an edited input, which is judged again', async () => {
    const { run, tool } = loop([asks]);
    await run.begin(question);
    const pending = (await run.judge(shown, [tool])).pending;
    const answer = { approved: true, input: { at: 'y' }, ...(pending && { pending }) };
    await (await run.judge(shown, [tool], { answer })).execute();
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ at: 'y' }]);
  });

  it('accepts only true as an approval, and only an object as an edit', async () => {
    for (const said of [
      { approved: 'false' },
      { approved: 1 },
      {},
      { approved: true, input: '{"at":"y"}' },
      { approved: true, input: [] },
      { approved: true, input: null },
    ]) {
      const { run, tool } = loop([asks]);
      await run.begin(question);
      const pending = (await run.judge(shown, [tool])).pending;
      const judged = await run.judge(shown, [tool], { answer: { ...said, ...(pending && { pending }) } as HostAnswer });
      expect((await judged.execute())?.outcome, JSON.stringify(said)).to.equal('denied');
      expect(tool.calls).to.deep.equal([]);
    }
  });

  it('accepts an approval without the stored call only if the judged call is the one shown', async () => {
    const plain = loop([asks]);
    await plain.run.begin(question);
    const yes = await plain.run.judge(shown, [plain.tool], { answer: { approved: true } });
    expect((await yes.execute())?.outcome).to.equal('executed');

    const moved = loop([moves, asks]);
    await moved.run.begin(question);
    const asked = await moved.run.judge(shown, [moved.tool], { answer: { approved: true } });
    expect([asked.state, moved.tool.calls.length]).to.deep.equal(['suspended', 0]);
  });

  it('reports the number of answers of a stored call for hosts that count them', async () => {
    let isStrict = false;
    const later = () => (isStrict ? verdict.suspend('Sure?') : verdict.allow());
    const { run, tool } = loop([asks, { name: 'asks later', approve: later }]);
    await run.begin(question);
    const first = (await run.judge(shown, [tool])).pending;
    const answer = { approved: true, ...(first && { pending: first }) };
    isStrict = true;
    const second = (await run.judge(shown, [tool], { answer })).pending;
    expect([first?.asked, second?.asked, second?.call.prompt]).to.deep.equal([undefined, 1, 'Sure?']);
  });

  it('accepts one approval for all approvers that ask, with and without the stored call', async () => {
    for (const kept of [true, false]) {
      const { run, tool } = loop([asks, { name: 'asks too', approve: () => verdict.suspend('Sure?') }]);
      await run.begin(question);
      const { pending } = await run.judge(shown, [tool]);
      expect(pending?.call).to.include({ prompt: 'Really?\nSure?', by: 'asks' });
      expect(pending?.call.asks?.map(({ by }) => by)).to.deep.equal(['asks', 'asks too']);
      const given = { approved: true, ...(kept && pending && { pending: JSON.parse(JSON.stringify(pending)) }) };
      const judged = await run.judge(shown, [tool], { answer: given });
      expect((await judged.execute())?.outcome).to.equal('executed');
    }
  });

  it('requires a new approval without the stored call if a store keeps the calls', async () => {
    const { run, tool } = loop([asks], [], { pendingCalls: pendingCallStore(memoryStateStore()) });
    await run.begin(question);
    const asked = await run.judge(shown, [tool], { answer: { approved: true } });
    expect([asked.state, asked.pending?.call.prompt, tool.calls.length]).to.deep.equal(['suspended', 'Really?', 0]);
  });

  it('accepts an approval once if calls are stored in memory', async () => {
    const pending = memoryPendingCallStore();
    const answered = async () => {
      const { run, tool } = loop([asks], [], { pendingCalls: pending });
      await run.begin(question);
      const kept = await pending.take({ agent: 'other' }, shown.id);
      const judged = await run.judge(shown, [tool], { answer: { approved: true, ...(kept && { pending: kept }) } });
      if (judged.state === 'ready') await judged.execute();
      return tool.calls.length;
    };
    const { run, tool } = loop([asks], [], { pendingCalls: pending });
    await run.begin(question);
    expect((await run.judge(shown, [tool])).state).to.equal('suspended');
    expect([await answered(), await answered()]).to.deep.equal([1, 0]);
  });

  it('accepts an approval with the stored call once, even if repeated', async () => {
    for (const pending of [memoryPendingCallStore(), pendingCallStore(memoryStateStore())]) {
      const { run, tool } = loop([asks], [], { pendingCalls: pending });
      await run.begin(question);
      const { pending: kept } = await run.judge(shown, [tool]);
      const answer = { approved: true, ...(kept && { pending: kept }) };
      await (await run.judge(shown, [tool], { answer })).execute();
      const other = loop([asks], [], { pendingCalls: pending });
      await other.run.begin(question);
      expect((await other.run.judge(shown, [other.tool], { answer })).state).to.equal('suspended');
      expect([tool.calls.length, other.tool.calls.length]).to.deep.equal([1, 0]);
    }
  });

  it('accepts an approval for its own prompt, and leaves a later one with that ID pending', async () => {
    for (const pending of [memoryPendingCallStore(), pendingCallStore(memoryStateStore())]) {
      const judge = async (call: ToolCall, answer?: HostAnswer) => {
        const { run, tool } = loop([asks], [], { pendingCalls: pending });
        await run.begin(question);
        const judged = await run.judge(call, [tool], answer && { answer });
        if (judged.state === 'ready') await judged.execute();
        return { pending: judged.pending, ran: tool.calls.length };
      };
      const yesTo = (of: PendingCallRecord | undefined): HostAnswer => ({ approved: true, ...(of && { pending: of }) });
      const other = { ...shown, input: { at: '/' } };
      const first = await judge(shown);
      const second = await judge(other);
      for (let times = 0; times < 3; times += 1) expect((await judge(other, yesTo(first.pending))).ran).to.equal(0);
      // The last prompt is the pending one.
      const last = await judge(other);
      expect((await judge(other, yesTo(second.pending))).ran, 'asked again since').to.equal(0);
      expect((await judge(other, yesTo(last.pending))).ran).to.equal(0);
      const now = await judge(other);
      expect((await judge(other, yesTo(structuredClone(now.pending)))).ran).to.equal(1);
      expect((await judge(other, yesTo(now.pending))).ran, 'counts once').to.equal(0);
    }
  });

  it('rejects an approval of another call if its own is not stored here', async () => {
    const asked = loop([asks], [], { pendingCalls: memoryPendingCallStore() });
    await asked.run.begin(question);
    const { pending } = await asked.run.judge(shown, [asked.tool]);
    const other = loop([asks], [], { pendingCalls: memoryPendingCallStore() });
    await other.run.begin(question);
    const answer = { approved: true, ...(pending && { pending }) };
    const judged = await other.run.judge({ ...shown, input: { at: '/' } }, [other.tool], { answer });
    expect([judged.state, other.tool.calls.length]).to.deep.equal(['suspended', 0]);
  });

  it('ignores pending calls that its store has not returned, or has returned to another taker', async () => {
    const pending = pendingCallStore(memoryStateStore());
    const first = loop([asks], [], { pendingCalls: pending });
    await first.run.begin(question);
    await first.run.judge(shown, [first.tool]);
    const kept = await pending.take({ agent: 'other' }, shown.id);
    for (const forged of [structuredClone(kept), { ...kept }] as (typeof kept)[]) {
      const { run, tool } = loop([asks], [], { pendingCalls: pending });
      await run.begin(question);
      const judged = await run.judge(shown, [tool], { answer: { approved: true, ...(forged && { pending: forged }) } });
      expect([judged.state, tool.calls.length]).to.deep.equal(['suspended', 0]);
      await pending.take({ agent: 'other' }, shown.id);
    }
  });

  it('judges a call once per run, unless it is pending', async () => {
    const { run, model, tool } = loop([], [looks, looks]);
    await run.begin(question);
    const { message } = await run.reason({ messages: question }, model);
    const [call] = toolCallsOf(message) as [ReturnType<typeof toolCall>];
    await (await run.judge(call, [tool])).execute();
    expect((await rejection(run.judge(call, [tool]))).message).to.include('"c1" of "look" was already judged');
    // The model uses the same ID again in its next message.
    await run.reason({ messages: question }, model);
    await (await run.judge(call, [tool])).execute();
    expect(tool.calls).to.have.length(2);
  });

  it('judges a failed call again, for hosts that rerun such calls', async () => {
    const { run, model } = loop([], [looks]);
    let runs = 0;
    const tool = defineTool({
      name: 'look',
      description: '',
      inputSchema: z.object({ at: z.string() }),
      execute() {
        runs += 1;
        if (runs === 1) throw new Error('try again');
        return 'seen';
      },
    });
    await run.begin(question);
    const { message } = await run.reason({ messages: question }, model);
    const [call] = toolCallsOf(message) as [ReturnType<typeof toolCall>];
    const outcomes = [];
    for (let n = 0; n < 2; n += 1) outcomes.push((await (await run.judge(call, [tool])).execute())?.outcome);
    expect(outcomes).to.deep.equal(['failed', 'executed']);
  });

  it('keeps an unanswered call of the resumed run pending if its approver is missing', async () => {
    const first = loop([asks]);
    await first.run.begin(question);
    const { pending: resumes } = await first.run.judge(shown, [first.tool]);
    if (!resumes) throw new Error('nothing is kept');
    expect(resumes.approvers).to.deep.equal(['asks']);
    const judge = async (hooks: readonly HookDefinition[], answer?: HostAnswer) => {
      const { run, tool } = loop(hooks, [], { resumes });
      await run.begin([]);
      const judged = await run.judge(shown, [tool], answer && { answer });
      if (judged.state === 'ready') await judged.execute();
      if (judged.pending) expect(judged.pending.approvers).to.include('asks');
      return [judged.state, tool.calls.length, judged.pending?.call.by];
    };
    expect(await judge([])).to.deep.equal(['suspended', 0, 'asks']);
    expect(await judge([moves], { approved: true, pending: resumes })).to.deep.equal(['suspended', 0, 'asks']);
    expect(await judge([{ name: 'asks', approve: () => verdict.allow() }])).to.deep.equal(['ready', 1, undefined]);
    expect(await judge([], { approved: true, pending: resumes })).to.deep.equal(['ready', 1, undefined]);
    expect(await judge([], { approved: true })).to.deep.equal(['ready', 1, undefined]);
  });

  it('accepts a denial in any case', async () => {
    const { run, tool } = loop([moves, asks]);
    await run.begin(question);
    const no = await run.judge(shown, [tool], { answer: { approved: false, reason: 'not today' } });
    expect((await no.execute())?.result.content).to.contain('not today');
    expect(tool.calls).to.be.empty;
  });
});
