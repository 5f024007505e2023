import { expect } from 'chai';
import { pino } from 'pino';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { auditLog } from '../../../lib/hooks/index.ts';
import {
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  HooklineError,
  type JsonObject,
  type Message,
  memoryTranscript,
  modify,
  type SettledEvent,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';

type Journal = Parameters<ReturnType<typeof createAgent>['recover']>[0];

const call = (name: string, n = 1) => ({ id: `call-${n}`, name, input: { n } });

/** Runs an agent with one batch of calls, and returns all of its events with the conversation before each. */
function recorded(names: readonly string[], metadata: JsonObject = { tenant: 'acme' }) {
  const { agent, store, ran } = world([{ toolCalls: names.map((name, index) => call(name, index)) }, 'done']);
  const events: SettledEvent[] = [];
  const stored: (readonly Message[])[] = [];
  agent.run('go', { sessionId: 's', userId: 'ann', metadata }).subscribe((event) => {
    stored.push([...(store.sessions.get('s') ?? [])]);
    events.push(event);
  });
  return { events, stored, ran };
}

function world(turns: Parameters<typeof scriptedModel>[0], hooks: Parameters<typeof createPipeline>[0] = []) {
  const ran: string[] = [];
  const store = memoryTranscript();
  const tools = ['write', 'again'].map((name) =>
    defineTool({
      name,
      description: name,
      ...(name === 'again' && { idempotent: true }),
      inputSchema: z.object({ n: z.number() }),
      execute: (_, { toolCall }) => {
        ran.push(toolCall.id);
        return 'ok';
      },
    }),
  );
  const model = scriptedModel(turns);
  const pipeline = createPipeline(hooks, { log: { debug() {}, info() {}, warn() {}, error() {} } });
  return { agent: createAgent({ name: 'a', model, tools, pipeline, transcript: store }), ran, store, model };
}

/** Recovers the run that crashed before the nth event of a type. */
async function crashed(
  names: readonly string[],
  type: SettledEvent['type'],
  nth: number,
  writeAhead: boolean,
  hooks = [],
) {
  const { events, stored } = recorded(names);
  const place = events.map((event, index) => (event.type === type ? index : -1)).filter((index) => index >= 0)[
    nth
  ] as number;
  const { agent, ran, store } = world(['done'], hooks);
  const before = stored[place + 1] ?? [];
  if (before.length > 0) store.append('s', before);
  const journal = JSON.parse(JSON.stringify(events.slice(0, place + 1))) as SettledEvent[];
  const next = await lastValueFrom(agent.recover(journal, { writeAhead }).pipe(toArray()));
  const outcomes = next.flatMap((event) =>
    event.type === 'postActing' ? [`${event.toolCall.id} ${event.outcome}`] : [],
  );
  return { next, ran, outcomes, stored: store.sessions.get('s') ?? [], journal };
}

const failureOf = async (journal: unknown, agent = world(['x']).agent): Promise<string> => {
  const error: unknown = await lastValueFrom(agent.recover(journal as Journal)).then(
    () => 'no error',
    (thrown) => thrown,
  );
  expect(error).to.be.instanceOf(HooklineError);
  expect((error as HooklineError).code).to.equal('RECOVERY_INVALID');
  return (error as Error).message;
};

describe('agent.recover', () => {
  it('closes a call that had begun, runs the others, and goes on as a new run', async () => {
    const { next, ran, outcomes, stored, journal } = await crashed(['write', 'write'], 'preActing', 0, true);
    expect(outcomes).to.deep.equal(['call-0 cancelled', 'call-1 executed']);
    expect(ran).to.deep.equal(['call-1']);
    const { run } = next[0] as SettledEvent;
    expect(run).to.include({ resumedFrom: journal[0]?.run.runId, sessionId: 's', userId: 'ann' });
    expect(run.metadata).to.deep.equal({ tenant: 'acme' });
    expect(next.at(-1)).to.include({ type: 'postCall', outcome: 'completed', iteration: 2 });
    expect(stored.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant']);
    expect(JSON.stringify(stored[2])).to.include('its effect is unknown');
  });

  it('drops approvals from the metadata, because they come from the user', async () => {
    const approvals = [{ action: 'approve', by: 'ciso', toolCallId: 'call-0' }];
    const { events, stored } = recorded(['write'], { tenant: 'acme', approvals });
    for (const options of [{}, { metadata: { tenant: 'acme', approvals } }]) {
      const records: string[] = [];
      const logger = pino({}, { write: (line: string) => void records.push(line) });
      const { agent, store } = world(['done'], [auditLog({ logger })]);
      store.append('s', stored[2] ?? []);
      const next = await lastValueFrom(agent.recover(events.slice(0, 3), options).pipe(toArray()));
      for (const { run } of next) expect(run.metadata).to.deep.equal({ tenant: 'acme' });
      expect(records.join('')).to.include('call_start').and.not.include('ciso');
    }
  });

  it('runs an idempotent call again with the same id', async () => {
    const { ran, outcomes } = await crashed(['again'], 'preActing', 0, false);
    expect([ran, outcomes]).to.deep.equal([['call-0'], ['call-0 executed']]);
  });

  it('runs no call that may have begun, unless the journal is written ahead', async () => {
    const unsure = await crashed(['write', 'again'], 'postReasoning', 0, false);
    expect(unsure.outcomes).to.deep.equal(['call-0 cancelled', 'call-1 executed']);
    const sure = await crashed(['write', 'again'], 'postReasoning', 0, true);
    expect(sure.outcomes).to.deep.equal(['call-0 executed', 'call-1 executed']);
  });

  it('keeps settled results', async () => {
    const { ran, outcomes, stored } = await crashed(['write', 'write'], 'postActing', 0, true);
    expect([ran, outcomes]).to.deep.equal([['call-1'], ['call-1 executed']]);
    expect(stored[2]?.parts.map((part) => part.type === 'toolResult' && part.toolCallId)).to.deep.equal([
      'call-0',
      'call-1',
    ]);
  });

  it('judges a call that had not begun', async () => {
    const never = defineHook({ name: 'never', approve: () => verdict.deny('not now') });
    const { outcomes, ran } = await crashed(['write'], 'postReasoning', 0, true, [never] as never);
    expect([outcomes, ran]).to.deep.equal([['call-0 denied'], []]);
  });

  it('fails if hooks change a repeated call into one that is not idempotent', async () => {
    const rename = defineHook({
      name: 'rename',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: 'write' } }) },
    });
    const { next, ran } = await crashed(['again'], 'preActing', 0, true, [rename] as never);
    expect(ran).to.deep.equal([]);
    expect(next.at(-1)).to.include({ type: 'postCall', outcome: 'failed' });
    expect(JSON.stringify(next.at(-1))).to.include('is not idempotent');
  });

  it('ends a run whose last reply has settled, without another model request', async () => {
    const { next, stored } = await crashed(['write'], 'postReasoning', 1, false);
    expect(next.map(({ type }) => type)).to.deep.equal(['preCall', 'postCall']);
    expect(stored.at(-1)?.role).to.equal('assistant');
  });

  it('reads async iterables', async () => {
    const { events, stored } = recorded(['write']);
    async function* read() {
      yield* events.slice(0, 2);
    }
    const { agent, store } = world(['done']);
    store.append('s', stored[2] ?? []);
    const post = await lastValueFrom(agent.recover(read()));
    expect(post).to.include({ type: 'postCall', outcome: 'completed' });
  });

  it('accepts marks of chunks that were not stored, and no other gap', async () => {
    const all = recorded(['write']);
    const events = all.events.slice(0, -1);
    const gap = events.filter(({ type }) => type !== 'reasoningChunk');
    const lost = events.length - gap.length;
    expect(lost).to.be.greaterThan(0);
    expect(await failureOf(gap)).to.match(/the events before seq \d+ of run .* are missing/);
    const { agent, store } = world(['done']);
    store.append('s', all.stored.at(-2) ?? []);
    const post = await lastValueFrom(agent.recover([...gap, { lost, of: 'chunks' }]));
    expect(post).to.include({ type: 'postCall', outcome: 'completed' });
  });

  it('rejects journals that are broken, and runs that have ended', async () => {
    const { events } = recorded(['write']);
    const [first, second] = events as [SettledEvent, SettledEvent];
    const other = { ...second, run: { ...second.run, runId: 'other' }, seq: 0 };
    const cases: [unknown, RegExp][] = [
      ['text', /must be an array, an iterable or an Observable/],
      [undefined, /must be an array, an iterable or an Observable/],
      [[], /has no events/],
      [[first, null], /item 1 .* is not a settled event, so the journal is damaged or cut/],
      [[first, { ...second, messages: 7 }], /item 1 .* is not a settled event/],
      [[{ lost: 2, of: 'gates' }], /is not a settled event/],
      [[second], /are missing, from seq 0/],
      [[{ ...second, seq: 0 }], /must begin with preCall/],
      [[first, events[3]], /are missing, from seq 1/],
      [[first, second, second], /wrong order, or there twice/],
      [[first, other], /belongs to another run/],
      [events, /has ended \(completed\)/],
    ];
    for (const [journal, message] of cases) expect(await failureOf(journal)).to.match(message);
    const foreign = createAgent({ name: 'b', model: scriptedModel(['x']) });
    expect(await failureOf([first], foreign)).to.match(/of agent "a", not of "b"/);
    const suspended = { ...(events.at(-1) as SettledEvent), outcome: 'suspended' };
    expect(await failureOf([...events.slice(0, -1), suspended])).to.match(
      /is suspended\. Continue it with agent\.resume/,
    );
  });

  it('fails if the conversation has continued', async () => {
    const { events, stored } = recorded(['write']);
    const { agent, store, ran } = world(['x']);
    store.append('s', [
      ...(stored[2] ?? []),
      { role: 'user', parts: [{ type: 'text', text: 'more' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'yes' }] },
    ]);
    const post = await lastValueFrom(agent.recover(events.slice(0, 3), { writeAhead: true }));
    expect(post).to.include({ type: 'postCall', outcome: 'failed' });
    expect(JSON.stringify(post)).to.include('was changed, or has continued');
    expect(ran).to.deep.equal([]);
  });
});
