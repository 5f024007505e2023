import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import fc from 'fast-check';
import { otel } from '../../lib/hooks/otel/index.ts';
import type { SettledEvent } from '../../lib/index.ts';
import { randomPlan } from '../agent/random/random-plan.ts';
import { runWorld } from '../agent/random/random-world.ts';
import { memorySdk, misuses, withContextManager } from './exported.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 100_000 : 150;

describe('otel: random agents', () => {
  withContextManager();
  const misused = misuses();

  for (const hooks of ['all', 'off'] as const)
    it(`leave no span open and end none twice, with spans of hooks: ${hooks}`, function () {
      this.timeout(0);
      const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
      console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`);
      let tools = 0;
      const property = fc.property(randomPlan, (plan) => {
        const sdk = memorySdk();
        const { tracerProvider, meterProvider } = sdk;
        const ran = new Map<string, number>();
        const took = (branch: string) => void ran.set(branch, (ran.get(branch) ?? 0) + 1);
        const hook = otel({ tracerProvider, meterProvider, hooks, content: true, redact: false });
        const world = runWorld(plan, took, [hook]);
        expect(world.issues).to.deep.equal([]);
        expect([...sdk.open], 'open spans').to.deep.equal([]);
        expect(new Set(sdk.ended).size, 'spans that ended twice').to.equal(sdk.ended.length);
        expect(misused.splice(0), 'misuse of the SDK').to.deep.equal([]);
        checkSpans(sdk.spans(), world.settled);
        tools += sdk.spans().filter(({ name }) => name.startsWith('execute_tool')).length;
      });
      fc.assert(property, { numRuns: RUNS, seed });
      expect(tools).to.be.greaterThan(RUNS / 10);
    });
});

function checkSpans(spans: readonly ReadableSpan[], settled: readonly SettledEvent[]): void {
  const runs = new Map(spans.filter(isRun).map((span) => [span.attributes['hookline.run.id'], span]));
  expect(runs.size, 'spans of runs').to.equal(spans.filter(isRun).length);
  const begun = settled.filter(({ type }) => type === 'preCall').map(({ run }) => run.runId);
  expect([...runs.keys()], 'runs').to.have.members(begun);
  const ids = new Set([...runs.values()].map((span) => span.spanContext().spanId));
  for (const span of spans) {
    if (isRun(span)) continue;
    const parent = span.parentSpanContext?.spanId;
    const above = spans.find((one) => one.spanContext().spanId === parent);
    expect(above, `the parent of ${span.name}`).not.to.equal(undefined);
    if (!span.name.startsWith('hook ')) expect(ids, span.name).to.include(parent);
  }
  for (const [id, { parentSpanContext, events, spanContext: _, ...run }] of runs) {
    expect(parentSpanContext, 'a run is on top').to.equal(undefined);
    const own = settled.filter((event) => event.run.runId === id);
    const ended = own.filter((event) => event.type === 'postActing');
    const traceId = runs.get(id)?.spanContext().traceId;
    const executed = spans.filter(
      (span) => span.name.startsWith('execute_tool') && span.spanContext().traceId === traceId,
    );
    const outcomes = ended.map(({ toolCall, outcome }) => `${toolCall.id} ${outcome}`);
    for (const { attributes } of executed) {
      const outcome = `${attributes['gen_ai.tool.call.id']} ${attributes['hookline.tool.outcome']}`;
      expect(outcomes, run.name).to.include(outcome);
    }
    // Each call has a span or an event.
    const told = events.filter(({ name }) => name.startsWith('hookline.tool.')).length;
    expect(executed.length + told, 'calls of the run').to.be.at.least(
      new Set(ended.map((event) => event.toolCall.id)).size,
    );
  }
}

const isRun = ({ name }: ReadableSpan) => name.startsWith('invoke_agent');
