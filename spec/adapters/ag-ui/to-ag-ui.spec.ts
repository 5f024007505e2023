import { expect } from 'chai';
import { createInbox, permission } from 'hookline/hooks';
import { concat, firstValueFrom, of, Subject, throwError, toArray } from 'rxjs';
import { type AgUiEvent, type AgUiOptions, toAgUi } from '../../../lib/adapters/ag-ui/index.ts';
import {
  type AgentOptions,
  assistantMessage,
  createAgent,
  createPipeline,
  defineHook,
  deny,
  finish,
  type Hook,
  modify,
  type SettledEvent,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { anEvent, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

const ids = { threadId: 't', runId: 'r' };

function sentBy(
  agent: Pick<AgentOptions, 'model' | 'tools'>,
  hooks: readonly Hook[] = [],
  options: AgUiOptions = ids,
): Promise<AgUiEvent[]> {
  const pipeline = createPipeline(hooks, { log: silentLogger });
  const run$ = createAgent({ name: 'a', pipeline, ...agent }).run('go', { sessionId: 's' });
  return firstValueFrom(run$.pipe(toAgUi(options), toArray()));
}

/** Each event on one line: its type and its names. */
const lines = (events: readonly AgUiEvent[]) =>
  events.map(({ type, ...event }) => {
    const { stepName, messageId, toolCallId, delta, content } = event as Record<string, unknown>;
    return [type, stepName, messageId ?? toolCallId, delta ?? (typeof content === 'string' ? content : undefined)]
      .filter((part) => part !== undefined)
      .join(' ');
  });

const pay = { toolCalls: [{ id: 'c1', name: 'pay', input: { eur: 5, to: 'the sum 4711' } }] };
const payTool = scriptedTool({ name: 'pay', result: 'paid' });

describe('toAgUi', () => {
  it('shows thinking, text, a call and its result in order', async () => {
    const model = scriptedModel([{ thinking: 'hm', chunks: ['a', 'b'], ...pay }, 'Done.']);
    expect(lines(await sentBy({ model, tools: [payTool] }))).to.deep.equal([
      'RUN_STARTED',
      'STEP_STARTED reasoning:1',
      'REASONING_START r:1',
      'REASONING_MESSAGE_START r:1',
      'REASONING_MESSAGE_CONTENT r:1 hm',
      'REASONING_MESSAGE_END r:1',
      'REASONING_END r:1',
      'TEXT_MESSAGE_START r:2',
      'TEXT_MESSAGE_CONTENT r:2 a',
      'TEXT_MESSAGE_CONTENT r:2 b',
      'TEXT_MESSAGE_END r:2',
      'TOOL_CALL_START c1',
      'TOOL_CALL_ARGS c1 {"eur":5,"to":"the sum 4711"}',
      'TOOL_CALL_END c1',
      'STEP_FINISHED reasoning:1',
      'STEP_STARTED acting:c1',
      'TOOL_CALL_RESULT r:3 paid',
      'STEP_FINISHED acting:c1',
      'STEP_STARTED reasoning:2',
      'TEXT_MESSAGE_START r:4',
      'TEXT_MESSAGE_CONTENT r:4 Done.',
      'TEXT_MESSAGE_END r:4',
      'STEP_FINISHED reasoning:2',
      'RUN_FINISHED',
    ]);
  });

  it('sends the start of the run before any event if it has the ids', () => {
    const sent: AgUiEvent[] = [];
    new Subject<SettledEvent>().pipe(toAgUi(ids)).subscribe((event) => void sent.push(event));
    expect(sent).to.deep.equal([{ type: 'RUN_STARTED', ...ids, protocolVersion: '1.0' }]);
  });

  it('uses the ids of session and run by default', async () => {
    const [first, ...others] = await sentBy({ model: scriptedModel(['Hi.']) }, [], {});
    expect(first).to.include({ type: 'RUN_STARTED', threadId: 's' });
    expect(others.at(-1)).to.include({ type: 'RUN_FINISHED', runId: (first as { runId: string }).runId });
  });

  it('never reuses a message id of the client, for any run id', async () => {
    const messages = ['r:1', 'r:3'].map((id) => ({ id, role: 'assistant', content: 'Before.' }));
    const sent = await sentBy({ model: scriptedModel([{ thinking: 'hm', text: 'Hi.' }]) }, [], { ...ids, messages });
    const named = sent.flatMap((event) =>
      event.type.endsWith('START') && 'messageId' in event ? [event.messageId] : [],
    );
    expect(new Set(named)).to.deep.equal(new Set(['r:2', 'r:4']));
  });

  it('omits thinking and tool progress if disabled', async () => {
    const model = scriptedModel([{ thinking: 'hm', ...pay }, 'Done.']);
    const tools = [scriptedTool({ name: 'pay', chunks: ['counting'], result: 'paid' })];
    const sent = await sentBy({ model, tools }, [], { ...ids, thinking: false, toolOutput: false });
    expect(sent.filter(({ type }) => /REASONING|ACTIVITY/.test(type))).to.deep.equal([]);
  });

  it('shows what a hook answers instead of the model', async () => {
    const hook = defineHook({
      name: 'answers',
      on: { postCall: (event) => modify(event, { message: assistantMessage('Instead.') }) },
      approve: () => verdict.deny('no'),
    });
    const sent = await sentBy({ model: scriptedModel([pay, 'Done.']), tools: [payTool] }, [hook]);
    const snapshot = sent.find(({ type }) => type === 'MESSAGES_SNAPSHOT') as unknown as {
      messages: { content: string }[];
    };
    expect(snapshot.messages.at(-1)?.content).to.equal('Instead.');
    const result = sent.find(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(result?.metadata).to.deep.equal({ hooks: { outcome: 'denied' } });
  });

  it('shows the judged call in the interrupt, under its resume key', async () => {
    const more = defineHook({
      name: 'more',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { eur: 7 } } }) },
    });
    const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('May I?') });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([pay, 'Done.']),
      tools: [payTool],
      pipeline: createPipeline([more, asks]),
    });
    const events = await firstValueFrom(agent.run('go').pipe(toArray()));
    const last = (await firstValueFrom(of(...events).pipe(toAgUi(), toArray()))).at(-1);
    const [interrupt] = (
      last as unknown as { outcome: { interrupts: { id: string; message: string; metadata: object }[] } }
    ).outcome.interrupts;
    expect(interrupt?.message).to.equal('May I?\npay {"eur":7}');
    expect(interrupt?.metadata).to.deep.include({ hooks: { tool: 'pay', input: { eur: 7 }, agent: 'a', by: 'asks' } });
    const post = events.at(-1) as { snapshot?: object };
    const resumed = agent.resume(post.snapshot as never, { [interrupt!.id]: { approved: true } });
    expect(lines(await firstValueFrom(resumed.pipe(toAgUi(ids), toArray())))).to.include('TOOL_CALL_RESULT r:1 paid');
  });

  it('identifies the run in a failure message, without text of the error', async () => {
    const model = scriptedModel([{ text: 'Half', error: 'the password is swordfish' }]);
    const sent = await sentBy({ model });
    expect(sent.at(-1)).to.include({ type: 'RUN_ERROR', code: 'FAILED' });
    expect(JSON.stringify(sent)).not.to.include('swordfish');
    const own = await sentBy({ model: scriptedModel([{ text: 'Half', error: 'x' }]) }, [], {
      ...ids,
      errorText: () => 'Oops.',
    });
    expect(own.at(-1)).to.include({ message: 'Oops.' });
  });

  it("ends normally if the host's error text function fails", async () => {
    const fails = () => {
      throw new Error('swordfish');
    };
    for (const errorText of [fails, () => undefined as never]) {
      const sent = await sentBy({ model: scriptedModel([{ error: 'x' }]) }, [], { ...ids, errorText });
      expect(sent.at(-1)).to.include({ type: 'RUN_ERROR', code: 'FAILED' });
      expect(JSON.stringify(sent.at(-1)))
        .to.match(/The run failed/)
        .and.not.include('swordfish');
    }
  });

  it('shows the text of a message with calls once if a hook finishes the run', async () => {
    const done = defineHook({ name: 'done', on: { postReasoning: (event) => finish(event) } });
    const sent = await sentBy({ model: scriptedModel([{ text: 'Enough.', ...pay }]), tools: [payTool] }, [done]);
    expect(lines(sent).filter((line) => line.includes('Enough.'))).to.have.length(1);
  });

  it('ends with RUN_ERROR if the events break off, and sends nothing after it', async () => {
    for (const end of [of<SettledEvent>(), throwError(() => new Error('swordfish'))]) {
      const begun = concat(of(anEvent.settled(anEvent.preCall()), anEvent.settled(anEvent.text('a'))), end);
      const sent = await firstValueFrom(begun.pipe(toAgUi(ids), toArray()));
      expect(sent.at(-1)).to.deep.equal({
        type: 'RUN_ERROR',
        message: 'The run ended unexpectedly (r).',
        code: 'BROKEN_OFF',
      });
    }
  });

  it('with hooks: true names the hooks that decided or noted, but no values', async () => {
    const hook = defineHook({
      name: 'guard',
      on: {
        preActing: (event) =>
          deny(
            modify(event, { toolCall: event.toolCall }, { note: { code: 'seen', message: 'saw 4711', data: '4711' } }),
            'has 4711',
          ),
      },
    });
    const sent = await sentBy({ model: scriptedModel([pay, 'Done.']), tools: [payTool] }, [hook], {
      ...ids,
      hooks: true,
    });
    const step = sent.find((event) => event.type === 'STEP_STARTED' && event.stepName === 'acting:c1');
    const notes = [{ by: 'guard', code: 'seen' }];
    expect(step?.metadata).to.deep.equal({ hooks: { decision: { action: 'deny', by: 'guard' }, notes } });
    expect(JSON.stringify(sent.map(({ metadata }) => metadata))).not.to.include('4711');
  });

  it('with hooks: true includes hooks on events that send nothing', async () => {
    const note = { code: 'seen', message: 'saw 4711' };
    const hook = defineHook({
      name: 'guard',
      on: { preCall: (event) => modify(event, { messages: event.messages }, { note }) },
    });
    const sent = await sentBy({ model: scriptedModel(['Hi.']) }, [hook], { ...ids, hooks: true });
    const value = { event: 'preCall', notes: [{ by: 'guard', code: 'seen' }] };
    expect(sent.find(({ type }) => type === 'CUSTOM')).to.deep.equal({ type: 'CUSTOM', name: 'hooks.facts', value });
  });

  it('names the changing hook and the path for a traced run', async () => {
    const more = defineHook({
      name: 'more',
      on: {
        preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { eur: 7, to: 'the sum 4712' } } }),
      },
    });
    const pipeline = createPipeline([more], { trace: true });
    const agent = createAgent({ name: 'a', pipeline, model: scriptedModel([pay, 'Done.']), tools: [payTool] });
    const options = { ...ids, hooks: true };
    const sent = await firstValueFrom(agent.run('go').pipe(toAgUi(options), toArray()));
    const told = sent.flatMap(({ type, metadata }) => (metadata ? [[type, metadata['hooks']]] : []));
    const steps = [{ hook: 'more', effect: 'changed', paths: ['toolCall.input.eur', 'toolCall.input.to'] }];
    expect(told).to.deep.equal([['STEP_STARTED', { steps }]]);
  });

  it('reports calls that wait inside the run, and their outcomes', async () => {
    const inbox = createInbox();
    const asks = permission({ ask: ['pay'], askBy: inbox.ask });
    inbox.changes$.subscribe((change) => {
      if (change.type === 'waiting')
        queueMicrotask(
          () => void inbox.answer(change.call.id, { action: 'approve', by: 'bob', hash: change.call.hash }),
        );
    });
    const sent = await sentBy({ model: scriptedModel([pay, 'Done.']), tools: [payTool] }, [asks], { ...ids, inbox });
    const custom = sent.flatMap((event) => (event.type === 'CUSTOM' ? [event] : []));
    expect(custom.map(({ name }) => name)).to.deep.equal(['hooks.approval.requested', 'hooks.approval.resolved']);
    expect(custom[0]?.value).to.include({ toolCallId: 'c1', tool: 'pay', by: 'permission' });
    expect(custom[1]?.value).to.include({ action: 'approve', by: 'bob' });
    expect(lines(sent)).to.include('TOOL_CALL_RESULT r:2 paid');
  });

  it('limits the shown progress of a tool', async () => {
    const tools = [
      scriptedTool({ name: 'pay', chunks: Array.from({ length: 30 }, () => 'x'.repeat(10_000)), result: 'paid' }),
    ];
    const sent = await sentBy({ model: scriptedModel([pay, 'Done.']), tools });
    const shown = sent.filter(({ type }) => type === 'ACTIVITY_DELTA');
    expect(JSON.stringify(shown).length).to.be.below(110_000);
    expect(JSON.stringify(shown).split('The rest is omitted.')).to.have.length(2);
  });

  it('rejects unknown options', () => {
    expect(() => toAgUi({ thread: 'x' } as never))
      .to.throw(/thread/)
      .with.property('code', 'OPTIONS_INVALID');
  });
});
