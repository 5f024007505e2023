import { expect } from 'chai';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { AgUiEvent } from '../../../lib/adapters/ag-ui/index.ts';
import { callsOfSnapshot } from '../../../lib/adapters/ag-ui/mapping/ending.ts';
import { mappingOptions, mapWith } from '../../../lib/adapters/ag-ui/to-ag-ui.ts';
import type { SettledEvent } from '../../../lib/index.ts';
import { randomPlan } from '../../agent/random/random-plan.ts';
import { runWorld } from '../../agent/random/random-world.ts';
import { cutOff } from '../../clients/ag-ui/cut-off.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 10_000 : 300;
const TOOL = 'value';

/** The events of a run whose tool `value` is the client's. `all`: only the client's calls are pending. */
function shownOf(events: readonly SettledEvent[], all: boolean): Promise<AgUiEvent[]> {
  const options = mapWith({
    ...mappingOptions({}),
    clientTools: new Set([TOOL]),
    waiting: (post) =>
      callsOfSnapshot(post).map((call, at) => ({ ...call, client: call.tool === TOOL && (all || at > 0) })),
  });
  return lastValueFrom(from(events).pipe(options, toArray()));
}

/** Calls of the client's tool that are shown without a result, at any time. */
function callsToRun(sent: readonly AgUiEvent[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const event of sent) {
    if (event.type === 'TOOL_CALL_START' && event.toolCallName === TOOL) open.add(event.toolCallId);
    if (event.type !== 'MESSAGES_SNAPSHOT') continue;
    const over = new Set(event.messages.map(({ toolCallId }) => toolCallId));
    for (const { toolCalls = [] } of event.messages)
      for (const { id, function: called } of toolCalls) if (called.name === TOOL && !over.has(id)) open.add(id);
  }
  return open;
}

describe('client-side tool calls on AG-UI', () => {
  it(`reach the client when it may run them, never earlier, in ${RUNS} random runs`, async function () {
    this.timeout(0);
    let handed = 0;
    const property = fc.asyncProperty(randomPlan, fc.nat(), fc.boolean(), async (plan, at, all) => {
      for (const run of runWorld(plan, () => {}).runs)
        for (const events of [run, cutOff(run, 1 + (at % Math.max(1, run.length - 1)), 'suspension')]) {
          const sent = await shownOf(events, all);
          const last = sent.at(-1);
          const outcome = last?.type === 'RUN_FINISHED' ? last.outcome : undefined;
          const pending = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : [];
          expect([...callsToRun(sent)].filter((id) => !pending.includes(id))).to.deep.equal([]);
          handed += pending.length;
        }
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(handed, 'calls that were handed to the client').to.be.greaterThan(0);
  });
});
