import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { createPipeline } from 'hookline';
import { backtest, replay } from 'hookline/replay';
import { recordedRun } from 'hookline/testing';
import { chunkText, isChunk } from '../../lib/events/chunk-text.ts';
import { rawPathOf } from '../../lib/hooks/recorder/raw-format.ts';
import type { ReadRecording } from '../../lib/hooks/recorder/read-recording.ts';
import { randomRecording, recordPlan } from './random-recording.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 5_000 : 80;

const damage = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), text: fc.constant('') }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.nat(),
    text: fc.constantFrom(
      '{',
      '\n',
      '"',
      'null\n',
      '[1]\n',
      '{"event":{}}\n',
      '{"lost":1}\n',
      '\u0000',
      '1e999\n',
      '{"event":{"type":"preCall","run":7}}\n',
    ),
  }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(), text: fc.constant('') }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat(), text: fc.constant('') }),
);

const place = fc.constantFrom('recording' as const, 'raw input' as const, 'log' as const);

/** Returns the recording as the log of a run store, with joined chunks. */
function logOf({ reports }: ReadRecording): string {
  return reports
    .map(({ event, steps }) => {
      const ends = isChunk(event) && { ends: [chunkText(event).length] };
      return `${JSON.stringify({ event, ...ends, steps })}\n`;
    })
    .join('');
}

describe('a broken recording', () => {
  it(`is refused with its line or replayed as far as it goes, ${RUNS} times`, async function () {
    this.timeout(0);
    await fc.assert(
      fc.asyncProperty(randomRecording, damage, place, async (plan, { kind, at, text }, where) => {
        const { file, folder, hooks, recording } = await recordPlan(plan);
        if (where === 'log') writeFileSync(file, logOf(recording));
        try {
          const path = where === 'raw input' ? rawPathOf(file) : file;
          const whole = readFileSync(path, 'utf8');
          const lines = whole.split('\n');
          const place = at % lines.length;
          const swapped = [...lines.slice(0, place), ...lines.slice(place).reverse()];
          writeFileSync(
            path,
            {
              cut: whole.slice(0, at % whole.length),
              insert: whole.slice(0, at % whole.length) + text + whole.slice(at % whole.length),
              swap: swapped.join('\n'),
              drop: lines.filter((_, index) => index !== place).join('\n'),
            }[kind],
          );
          for (const work of [() => replay(file, createPipeline(hooks)), async () => recordedRun(file)]) {
            const thrown = await work().then(
              () => undefined,
              (error: unknown) => error,
            );
            if (thrown === undefined) continue;
            expect(thrown).to.have.property('code', 'INPUT_INVALID');
            expect((thrown as Error).message).to.match(/cannot be read: line \d+ /);
          }
          const { recordings, unreadable } = await backtest([file], createPipeline(hooks));
          expect(recordings + unreadable.length).to.equal(1);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: RUNS },
    );
  });
});
