import { expect } from 'chai';
import { firstValueFrom, timer } from 'rxjs';
import {
  createAgent,
  createPipeline,
  defineHook,
  deny,
  eventTypes,
  type HookDefinition,
  type Message,
  memoryTranscript,
  type SettledEvent,
  textOf,
  verdict,
} from '../../lib/index.ts';
import { describeEvent, recorder, scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { eventsOf, within } from './failures/misbehaving.ts';

const calls = [
  {
    chunks: ['let me look'],
    toolCalls: [
      { name: 'look', input: {} },
      { name: 'look', input: {} },
    ],
  },
  'done',
];

/** An agent that the hook cancels, with the events seen by later hooks and observers, and the stored messages. */
async function scene(hook: (cancel: () => void) => Partial<HookDefinition>, turns: readonly unknown[] = calls) {
  const controller = new AbortController();
  const asked: string[] = [];
  let before = 0;
  const cancel = () => {
    before = asked.length;
    controller.abort('enough');
  };
  const seen = recorder();
  const witness = defineHook({
    name: 'witness',
    priority: 900,
    on: Object.fromEntries(eventTypes.map((type) => [type, () => void asked.push(type)])),
    approve() {
      asked.push('approve');
      return verdict.allow();
    },
  });
  const transcript = memoryTranscript();
  const agent = createAgent({
    name: 'a',
    model: scriptedModel(turns as never),
    tools: [scriptedTool({ name: 'look', result: 'seen' })],
    transcript,
    pipeline: createPipeline([defineHook({ name: 'stop', observe: () => {}, ...hook(cancel) }), witness, seen]),
  });
  const events = await within(eventsOf(agent.run('go', { sessionId: 's', signal: controller.signal })), 'the run');
  const remembered = (await transcript.load('s')) as readonly Message[];
  const lines = remembered.map(
    (message) =>
      `${message.role}: ${textOf(message)}${message.parts.flatMap((part) => (part.type === 'toolResult' ? [part.result.content] : [])).join(' | ')}`,
  );
  return { events, asked, late: asked.slice(before), lines, heard: seen.events.map((event) => describeEvent(event)) };
}

const outcomes = (events: readonly SettledEvent[]) =>
  events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));

describe('a run that a hook cancels at once', () => {
  it('at postReasoning: keeps the message and closes its calls as skipped', async () => {
    const { events, lines } = await scene((cancel) => ({ priority: 999, on: { postReasoning: () => cancel() } }));
    expect(outcomes(events)).to.deep.equal(['skipped', 'skipped']);
    expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'cancelled', reason: 'enough' });
    expect(lines).to.deep.equal([
      'user: go',
      'assistant: let me look',
      'tool: The call was not started: enough. | The call was not started: enough.',
    ]);
  });

  it('from an observer of postReasoning: does the same', async () => {
    const { events, lines } = await scene((cancel) => ({
      observe: (event) => (event.type === 'postReasoning' ? cancel() : undefined),
    }));
    expect(outcomes(events)).to.deep.equal(['skipped', 'skipped']);
    expect(lines).to.have.length(3);
  });

  it('at postReasoning of an answer: stores it and counts its usage', async () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    const { events, lines } = await scene(
      (cancel) => ({ priority: 999, on: { postReasoning: () => cancel() } }),
      [{ chunks: ['hello'], usage }],
    );
    expect(lines).to.deep.equal(['user: go', 'assistant: hello']);
    expect(events.at(-1)).to.deep.include({ outcome: 'cancelled', usage });
  });

  it('after preCall has settled: stores the user message', async () => {
    const { lines } = await scene((cancel) => ({ priority: 999, on: { preCall: () => cancel() } }));
    expect(lines).to.deep.equal(['user: go']);
  });

  for (const type of eventTypes.filter((type) => !type.endsWith('Chunk') && type !== 'error')) {
    it(`at ${type}: runs no later hook of that or any other event`, async () => {
      const { events, late } = await scene((cancel) => ({ priority: 1, on: { [type]: () => cancel() } }));
      expect(late).to.deep.equal([]);
      expect(events.filter((event) => event.type === 'postCall')).to.have.length(1);
      expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'cancelled' });
    });
  }

  it('at preActing or in an approver: asks no later approver about the call', async () => {
    for (const hook of [
      (cancel: () => void) => ({ priority: 999, on: { preActing: () => cancel() } }),
      (cancel: () => void) => ({
        priority: 1,
        approve() {
          cancel();
          return verdict.allow();
        },
      }),
    ]) {
      const { asked, events } = await scene(hook);
      expect(asked).not.to.include('approve');
      expect(outcomes(events)).to.deep.equal(['skipped', 'skipped']);
    }
  });
});

describe('a call denied before the cancellation', () => {
  const refusals: Record<string, Partial<HookDefinition>> = {
    'a denial by a hook': { on: { preActing: (event) => deny(event, 'not this one') } },
    'a denial by an approver': { approve: () => verdict.deny('not this one') },
  };
  for (const [how, hook] of Object.entries(refusals)) {
    it(`keeps ${how} after a cancellation by an observer`, async () => {
      const { events, heard } = await scene((cancel) => ({
        ...hook,
        observe: (event) => (event.type === 'preActing' ? cancel() : undefined),
      }));
      expect(outcomes(events)).to.deep.equal(['denied', 'skipped']);
      expect(heard.join('\n')).to.include('not this one');
    });
  }

  it('stays failed because of an invalid input', async () => {
    const { events } = await scene(
      (cancel) => ({ observe: (event) => (event.type === 'preActing' ? cancel() : undefined) }),
      [{ toolCalls: [{ name: 'nothing', input: {} }] }, 'done'],
    );
    expect(outcomes(events)).to.deep.equal(['failed']);
  });
});

describe('a run that is cancelled before it starts', () => {
  const asking = (asked: string[]) => defineHook({ name: 'slow', on: (event) => void asked.push(event.type) });

  it('runs no hook and emits no unapproved content', async () => {
    const asked: string[] = [];
    const agent = createAgent({ name: 'a', model: scriptedModel(['hi']), pipeline: createPipeline([asking(asked)]) });
    const events = await eventsOf(agent.run('go', { signal: AbortSignal.abort() }));
    expect(events.map((event) => describeEvent(event))).to.deep.equal(['preCall', 'postCall cancelled (cancelled)']);
    expect(asked).to.deep.equal([]);
  });

  it('does the same at once while it waits for its session', async () => {
    const asked: string[] = [];
    const model = scriptedModel(['one', 'two'], { delayMs: 30 });
    const agent = createAgent({ name: 'a', model, pipeline: createPipeline([asking(asked)]) });
    const first = eventsOf(agent.run('go', { sessionId: 's' }));
    const before = asked.length;
    const events = await eventsOf(agent.run('go', { sessionId: 's', signal: AbortSignal.timeout(1) }));
    expect(events.map(({ type }) => type)).to.deep.equal(['preCall', 'postCall']);
    expect(asked.filter((type) => type === 'preCall')).to.have.length(1);
    expect(before).to.be.greaterThan(0);
    expect((await first).at(-1)).to.include({ outcome: 'completed' });
    await firstValueFrom(timer(0));
  });
});
