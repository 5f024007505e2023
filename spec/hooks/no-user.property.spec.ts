import { expect } from 'chai';
import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { createAgent } from '../../lib/agent/create-agent.ts';
import type { PostCall } from '../../lib/events/post-call.ts';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { createCatalogue } from '../../lib/hooks/catalogue.ts';
import { longTermMemory } from '../../lib/hooks/long-term-memory/long-term-memory.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { defineTool } from '../../lib/pipeline/define/tool.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { scriptedModel } from '../../lib/testing/scripts/scripted-model.ts';

const perOwner = [{ per: ['user'] }, { per: ['session'] }].map((limit) => ({ ...limit, max: 9 }));
/** Each hook that stores state for a user or a session, with options under which it does in the runs below. */
const keeping: Readonly<Record<string, object>> = {
  'rate-limit': { limits: perOwner },
  budget: { limits: perOwner.map(({ per, max }) => ({ of: 'calls', per: per[0], max })) },
  'long-term-memory': {},
  permission: { askBy: () => ({ approved: true, remember: 'session' }) },
  'auto-context': { maxTokens: 900, keepLast: 0, keepChars: 10, offloadFrom: 100, summary: false },
  'tool-cache': { tools: ['look'] },
};

const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000'), maxLength: 3 });
const session = fc.constantFrom('r', 's', 't', 'u');

/** The remains of runs by these owners: the last outcome, the number of tool runs and the keys in the store. */
async function afterRuns(owners: readonly { readonly userId?: string; readonly sessionId: string }[]) {
  let executions = 0;
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object' },
    permission: 'read',
    execute: () => {
      executions += 1;
      return 'x'.repeat(800);
    },
  });
  const store = memoryStateStore();
  const catalogue = createCatalogue(builtIns);
  const host = { store, countTokens: (text: string) => text.length };
  const pipeline = createPipeline(
    Object.entries(keeping).map(([name, options]) => catalogue.create(name, options, host)),
    { log: { debug() {}, info() {}, warn() {}, error() {} } },
  );
  const turns = owners.flatMap(() => [
    ...['a', 'b'].map((at) => ({ toolCalls: [{ name: 'look', input: { at } }] })),
    'Seen.',
  ]);
  const agent = createAgent({ name: 'a', model: scriptedModel(turns), tools: [look], pipeline });
  const ends: PostCall[] = [];
  for (const owner of owners) ends.push(await agent.call('Look.', owner));
  await pipeline.flush();
  const keys = (await firstValueFrom(store.list([]))).map((key) => JSON.stringify(key));
  return {
    outcomes: ends.map(({ outcome }) => outcome),
    users: ends.flatMap(({ run }) => run.userId ?? []),
    executions,
    // The id of an offloaded result differs each time.
    keys: keys.filter((key) => !key.includes('"result"')).sort(),
    rooms: new Set(keys.map((key) => (JSON.parse(key) as string[])[0])).size,
  };
}

describe('a run without a user', () => {
  it('shares nothing with other sessions in any hook, for an empty or blank userId', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(blank, session), { minLength: 1, maxLength: 4 }), async (runs) => {
        const plain = await afterRuns(runs.map(([, sessionId]) => ({ sessionId })));
        const empty = await afterRuns(runs.map(([userId, sessionId]) => ({ userId, sessionId })));
        expect(empty).to.deep.equal(plain);
        expect(empty.users).to.deep.equal([]);
        expect(empty.outcomes).to.deep.equal(runs.map(() => 'completed'));
        expect(empty.executions).to.equal(2 * new Set(runs.map(([, sessionId]) => sessionId)).size);
        // All of them except tool-cache, which keeps its answers in memory.
        expect(empty.rooms).to.equal(Object.keys(keeping).length - 1);
      }),
      { numRuns: 15 },
    ));

  it('has its own session for an empty or blank sessionId too', () =>
    fc.assert(
      fc.asyncProperty(fc.array(blank, { minLength: 2, maxLength: 3 }), async (sessions) => {
        const { executions, users, outcomes } = await afterRuns(
          sessions.map((sessionId) => ({ userId: '', sessionId })),
        );
        // The tool runs twice in each session, because `tool-cache` shares no result across sessions.
        expect(executions).to.equal(2 * sessions.length);
        expect(users).to.deep.equal([]);
        expect(outcomes).to.deep.equal(sessions.map(() => 'completed'));
      }),
      { numRuns: 15 },
    ));

  it('has no memories of its user to list, forget or export', () =>
    fc.assert(
      fc.asyncProperty(blank, async (userId) => {
        const memory = longTermMemory({}, { store: memoryStateStore(), countTokens: (text) => text.length });
        for (const ask of [memory.list, memory.forget, memory.export]) {
          const thrown = await firstValueFrom<unknown>(ask({ userId, sessionId: userId })).catch(
            (error: unknown) => error,
          );
          expect(String(thrown)).to.contain("Pass a userId or a sessionId, such as { userId: 'ann' }");
        }
      }),
    ));
});
