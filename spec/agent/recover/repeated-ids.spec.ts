import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import {
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type Message,
  memoryTranscript,
  type SettledEvent,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

const step = (n: number) => ({ toolCalls: [{ id: 'call_0', name: 'write', input: { n } }] });

function world(turns: Parameters<typeof scriptedModel>[0], hooks: readonly Hook[] = []) {
  const store = memoryTranscript();
  const tool = scriptedTool({ name: 'write', permission: 'write', result: ({ n }) => `result ${n}` });
  const pipeline = createPipeline(hooks, { log: { debug() {}, info() {}, warn() {}, error() {} } });
  const agent = createAgent({ name: 'a', model: scriptedModel(turns), tools: [tool], pipeline, transcript: store });
  return { agent, store, tool };
}

/** Recovers a run of two steps. The journal ends with the first step, and the store has `kept` messages. */
async function recovered(kept: number, hooks: readonly Hook[] = []) {
  const first = world([step(1), step(2), 'done'], hooks);
  const events: SettledEvent[] = [];
  let before: readonly Message[] = [];
  first.agent.run('go', { sessionId: 's' }).subscribe((event) => {
    events.push(event);
    if (event.type === 'preReasoning') before = [...(first.store.sessions.get('s') ?? [])];
  });
  expect(before.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'tool']);
  const journal = events.slice(0, events.findIndex(({ type }) => type === 'postActing') + 1);
  const { agent, store, tool } = world(['done']);
  store.append('s', before.slice(0, kept));
  const next = await lastValueFrom(agent.recover(journal).pipe(toArray()));
  expect(next.at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
  const stored = store.sessions.get('s') ?? [];
  return { before, stored, ran: tool.calls.length };
}

describe('agent.recover, if the store has a step that the journal has lost, with the ids of the step before', () => {
  it('keeps the result of the later step', async () => {
    const { before, stored, ran } = await recovered(5);
    expect(ran).to.equal(0);
    expect(JSON.stringify(before[4])).to.include('result 2');
    expect(stored.slice(0, 5)).to.deep.equal(before);
  });

  for (const [what, denials] of [
    ['has a result', 0],
    ['was denied', 1],
  ] as const)
    it(`closes an open call of the later step, if the earlier call ${what}`, async () => {
      let count = 0;
      const never = defineHook({
        name: 'never',
        approve: () => (count++ < denials ? verdict.deny('no') : verdict.allow()),
      });
      const { before, stored, ran } = await recovered(4, [never]);
      expect(ran).to.equal(0);
      expect(stored.slice(0, 4)).to.deep.equal(before.slice(0, 4));
      expect(JSON.stringify(stored[4])).to.include('its effect is unknown');
    });
});

/**
 * Recovers a recovered run. Its journal ends with a call of the first step, or of the second one, and the store has `kept` messages. `ids` are those of the
 * calls of both steps.
 */
async function recoveredTwice(
  kept: number,
  last: 'preActing' | 'postActing',
  ids: readonly [string, string],
  step: 'first' | 'second' = 'first',
) {
  const turns = ids.map((id, index) => ({ toolCalls: [{ id, name: 'write', input: { n: index + 1 } }] }));
  const one = world([...turns.slice(0, 1), 'lost']);
  const begun: SettledEvent[] = [];
  one.agent.run('go', { sessionId: 's' }).subscribe((event) => begun.push(event));
  const reasoned = begun.findIndex(({ type }) => type === 'postReasoning');

  const two = world([...turns.slice(1), 'done']);
  two.store.append('s', (one.store.sessions.get('s') ?? []).slice(0, 1));
  const events: SettledEvent[] = [];
  let before: readonly Message[] = [];
  two.agent.recover(begun.slice(0, reasoned + 1), { writeAhead: true }).subscribe((event) => {
    events.push(event);
    if (event.type === 'preReasoning') before = [...(two.store.sessions.get('s') ?? [])];
  });
  expect(before.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'tool']);
  expect(two.tool.calls).to.have.length(2);

  const three = world(['done']);
  three.store.append('s', before.slice(0, kept));
  const isLast = ({ type }: SettledEvent) => type === last;
  const end = step === 'first' ? events.findIndex(isLast) : events.findLastIndex(isLast);
  const journal = events.slice(0, end + 1);
  const next = await lastValueFrom(three.agent.recover(journal).pipe(toArray()));
  expect(next.at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
  expect(three.tool.calls).to.have.length(0);
  return { before, stored: three.store.sessions.get('s') ?? [] };
}

describe('agent.recover, if the journal of a recovered run has no model step, and the store has a later one', () => {
  for (const ids of [
    ['call_0', 'call_0'],
    ['call_0', 'call_1'],
  ] as const)
    for (const last of ['preActing', 'postActing'] as const) {
      it(`keeps the result of the later step (${ids}, up to ${last})`, async () => {
        const { before, stored } = await recoveredTwice(5, last, ids);
        expect(JSON.stringify(before[4])).to.include('result 2');
        expect(stored.slice(0, 5)).to.deep.equal(before);
      });

      it(`closes an open call of the later step (${ids}, up to ${last})`, async () => {
        const { before, stored } = await recoveredTwice(4, last, ids);
        expect(stored.slice(0, 4)).to.deep.equal(before.slice(0, 4));
        expect(JSON.stringify(stored[4])).to.include('its effect is unknown');
      });
    }
});

describe('agent.recover, if the journal of a recovered run has a model step with the ids of the step before', () => {
  for (const last of ['preActing', 'postActing'] as const)
    it(`keeps the messages of both steps once, up to ${last}`, async () => {
      const { before, stored } = await recoveredTwice(5, last, ['call_0', 'call_0'], 'second');
      expect(stored.slice(0, 5)).to.deep.equal(before);
      expect(stored.map(({ role }) => role)).to.deep.equal([...before.map(({ role }) => role), 'assistant']);
    });
});
