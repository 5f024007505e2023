import { rmSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import type { TraceReport } from 'hookline';
import { describeEvent } from 'hookline/testing';
import { compareRuns } from '../../lib/replay/compare-runs.ts';
import type { RecordedScript } from '../../lib/replay/recorded-script.ts';
import { replayRun } from '../../lib/replay/replay-run.ts';
import { randomRecording, recordPlan, suspendedTwice } from './random-recording.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 20_000 : 100;

describe('a replayed run', () => {
  it(`has the same events at the same times as a recording with raw input, ${RUNS} times`, async function () {
    this.timeout(0);
    const seen = { steered: 0, resumed: 0, suspendedAgain: 0 };
    await fc.assert(
      fc.asyncProperty(randomRecording, async (plan) => {
        const { recording, hooks, folder } = await recordPlan(plan);
        try {
          const [script] = recording.scripts as [RecordedScript];
          const end = script.reports.at(-1)?.event;
          if (script.steering.length > 0) seen.steered += 1;
          if (script.resumption) seen.resumed += 1;
          if (script.resumption && end?.type === 'postCall' && end.snapshot) seen.suspendedAgain += 1;
          const again = await replayRun(script, { hooks, settings: {}, isOutward: () => false });
          expect(shown(again.reports), again.missing).to.deep.equal(shown(script.reports));
          for (const [at, { event }] of again.reports.entries())
            expect(plain(event), describeEvent(event)).to.deep.equal(plain(script.reports[at]?.event));
          expect(compareRuns(script.reports, again.reports)).to.deep.equal([]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: RUNS, examples: [[suspendedTwice]] },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).to.be.greaterThan(0);
  });

  it(`has the same settled values as a recording without raw input, ${RUNS} times`, async function () {
    this.timeout(0);
    await fc.assert(
      fc.asyncProperty(randomRecording, async (plan) => {
        const { recording, hooks, folder } = await recordPlan(plan, { raw: false, redact: true });
        try {
          const [script] = recording.scripts as [RecordedScript];
          const again = await replayRun(script, { hooks, settings: {}, isOutward: () => false });
          expect(compareRuns(script.reports, again.reports)).to.deep.equal([]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function shown(reports: readonly TraceReport[]): readonly string[] {
  const begin = reports[0]?.event.time ?? 0;
  return reports.map(({ event }) => `${(event.time ?? 0) - begin} ${describeEvent(event)}`);
}

/** A stack is cut to a length, with a mark, each time it is read. */
function plain(event: unknown): unknown {
  return JSON.parse(JSON.stringify(event), (key, value) => (key === 'stack' ? undefined : value));
}
