import { map, Subject } from 'rxjs';
import { createPipeline, type ModelChunk } from '../../lib/index.ts';
import type { BenchResult } from './result.ts';
import { everyKind } from './step.ts';
import { usual } from './usual.ts';

const CHUNKS = 100;
const ROUNDS = 15;
const BARE_ROUNDS = 5;

/** Many runs side by side on one pipeline against few: cost per event, and what is kept after they have ended. */
export function interleavedBench(): BenchResult[] {
  const pipeline = createPipeline(everyKind());
  // How fast memory is changes with what else the machine does: what is compared is measured close together, and does the same number
  // of events, so that neither is measured colder than the other.
  const value = againstFew((runs, rounds) => interleave(pipeline, runs, rounds), ROUNDS);
  const bare = againstFew(interleaveBare, BARE_ROUNDS);
  // Twice before the heap is read: tables that have grown and code that was compiled keep their size, which is not a leak.
  interleave(pipeline, 10_000, 1);
  interleave(pipeline, 10_000, 1);
  const before = heap();
  interleave(pipeline, 10_000, 1);
  interleave(pipeline, 10_000, 1);
  const kept = heap() - before;
  return [
    {
      name: '10,000 runs interleaved on one pipeline, cost per event against 10 runs',
      unit: 'times the cost',
      value,
      most: 2,
    },
    {
      name: 'the same for 10,000 bare subject.pipe(map x 10) against 10, for comparison',
      unit: 'times the cost',
      value: bare,
    },
    {
      name: 'heap kept for each of 10,000 runs after they have ended',
      unit: 'bytes',
      value: Math.max(0, kept / 20_000),
      most: 64,
    },
  ];
}

/** What an event costs among 10,000 runs, in times of what it costs among 10. */
function againstFew(cost: (runs: number, rounds: number) => number, rounds: number): number {
  const pairs: { few: number; many: number }[] = [];
  for (let round = -2; round < rounds; round++) {
    const pair = { few: cost(10, 1_000), many: cost(10_000, 1) };
    // The first ones are for warming up.
    if (round >= 0) pairs.push(pair);
  }
  return usual(pairs, ({ many, few }) => many / few);
}

function interleave(pipeline: ReturnType<typeof createPipeline>, runs: number, rounds: number): number {
  let events = 0;
  const began = process.hrtime.bigint();
  for (let round = 0; round < rounds; round++) {
    const sources = Array.from({ length: runs }, () => new Subject<ModelChunk>());
    for (const source of sources) {
      pipeline
        .start({ agent: 'a', sessionId: 's' })
        .reason({ messages: [] }, () => source)
        .subscribe(() => events++);
    }
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      for (const source of sources) source.next({ type: 'text', delta: 'word ' });
    }
    for (const source of sources) source.complete();
  }
  return Number(process.hrtime.bigint() - began) / events;
}

/** What the machine's memory makes of many small streams side by side, whatever runs in them. */
function interleaveBare(runs: number, rounds: number): number {
  let events = 0;
  const began = process.hrtime.bigint();
  for (let round = 0; round < rounds; round++) {
    const sources = Array.from({ length: runs }, () => new Subject<ModelChunk>());
    for (const source of sources) {
      const step = () => map((chunk: ModelChunk) => ({ ...chunk }));
      source
        .pipe(step(), step(), step(), step(), step(), step(), step(), step(), step(), step())
        .subscribe(() => events++);
    }
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      for (const source of sources) source.next({ type: 'text', delta: 'word ' });
    }
    for (const source of sources) source.complete();
  }
  return Number(process.hrtime.bigint() - began) / events;
}

function heap(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
