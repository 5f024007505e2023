import { expect } from 'chai';
import fc from 'fast-check';
import { firstValueFrom, from, lastValueFrom, toArray } from 'rxjs';
import { toAgUi } from '../../../lib/adapters/ag-ui/index.ts';
import {
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  type SettledEvent,
  type Tool,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { type ScriptTurn, scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { cutOff } from './cut-off.ts';
import { verified } from './verified.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 1_000 : 40;

/** An agent at each level, outermost first: its calls, in one message or in sequence, and its end. */
const level = fc.record({
  thinking: fc.boolean(),
  text: fc.boolean(),
  /** Calls to the agent below and to a tool. */
  below: fc.integer({ min: 0, max: 2 }),
  tool: fc.boolean(),
  end: fc.constantFrom('answers', 'answers', 'fails', 'suspends'),
});
type Level = typeof level extends fc.Arbitrary<infer L> ? L : never;

const asks = defineHook({
  name: 'asks',
  approve: ({ toolCall }) => (toolCall.input['ask'] === true ? verdict.suspend('May I?') : verdict.allow()),
});

function agentOf(levels: readonly Level[], place = 0) {
  const { thinking, text, below, tool, end } = levels[place] as Level;
  // Call ids repeat at all levels, as with models that number their calls.
  const calls = [
    ...Array.from({ length: place + 1 < levels.length ? below : 0 }, () => ({
      name: 'below',
      input: { prompt: 'go' },
    })),
    ...(tool ? [{ name: 'work', input: {} }] : []),
    ...(end === 'suspends' ? [{ name: 'work', input: { ask: true } }] : []),
  ].map((call, at) => ({ ...call, id: `c${at}` }));
  const said = { ...(thinking && { thinking: 'hm' }), ...(text && { chunks: ['one ', 'two'] }) };
  const last: ScriptTurn = end === 'fails' ? { text: 'half', error: 'gone' } : { text: 'done' };
  const turns = Array.from({ length: 4 }, () => [
    ...(calls.length > 0 ? [{ ...said, toolCalls: calls }] : []),
    last,
  ]).flat();
  const tools: Tool[] = [scriptedTool({ name: 'work', chunks: ['some'], result: 'worked' }) as Tool];
  if (place + 1 < levels.length && below > 0)
    tools.push(agentTool(agentOf(levels, place + 1), { name: 'below', description: 'Another agent.' }) as Tool);
  const pipeline = createPipeline(place === 0 ? [asks] : [], { log: silentLogger });
  return createAgent({ name: `level ${place}`, model: scriptedModel(turns), tools, pipeline });
}

describe('the AG-UI events of agents with sub-agents', () => {
  it(`are valid, cut after each event by an error, a cancellation or a suspension, ${RUNS} times`, async function () {
    this.timeout(0);
    const taken = new Set<string>();
    const property = fc.asyncProperty(fc.array(level, { minLength: 2, maxLength: 3 }), async (levels) => {
      const run = await firstValueFrom(agentOf(levels).run('go').pipe(toArray()));
      const cuts = (['error', 'cancel', 'suspension'] as const).flatMap((cut) =>
        run.map((_, at) => cutOff(run, at + 1, cut)),
      );
      for (const events of [run, ...cuts]) {
        const sent = await lastValueFrom(from(events).pipe(toAgUi({ hooks: true }), toArray()));
        expect(await verified(sent)).to.deep.equal(sent);
        expect(['RUN_FINISHED', 'RUN_ERROR'], 'the last event').to.include(sent.at(-1)?.type);
        for (const one of sent) taken.add(one.type + (one.type === 'SUBAGENT_FINISHED' && one.outcome ? '!' : ''));
        expectOwners(events, sent);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
    const wanted = ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_FINISHED!', 'SUBAGENT_ERROR'];
    expect(wanted.filter((type) => !taken.has(type))).to.deep.equal([]);
  });
});

/** Checks that each started sub-agent run is reported under its id, and no other. */
function expectOwners(events: readonly SettledEvent[], sent: readonly { readonly subagentRunId?: string }[]): void {
  const nested = new Set(events.flatMap(({ run }) => (run.depth > 0 ? [run.runId] : [])));
  const named = new Set(sent.flatMap(({ subagentRunId }) => (subagentRunId === undefined ? [] : [subagentRunId])));
  expect([...named].sort()).to.deep.equal([...nested].sort());
}
