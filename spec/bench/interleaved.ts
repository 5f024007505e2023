import { map, Subject } from 'rxjs';
import { createPipeline, type ModelChunk } from '../../lib/index.ts';
import type { BenchResult } from './result.ts';
import { everyKind } from './step.ts';

const CHUNKS = 100;

/** Many runs side by side on one pipeline against few: cost per event, and what is kept after they have ended. */
export function interleavedBench(): BenchResult[] {
  const pipeline = createPipeline(everyKind());
  // Both do the same number of events, so that neither is measured colder than the other.
  interleave(pipeline, 10, 100);
  const few = best(() => interleave(pipeline, 10, 1_000));
  // Twice before the heap is read: tables that have grown and code that was compiled keep their size, which is not a leak.
  interleave(pipeline, 10_000, 1);
  interleave(pipeline, 10_000, 1);
  const before = heap();
  const many = best(() => interleave(pipeline, 10_000, 1));
  const kept = heap() - before;
  return [
    {
      name: '10,000 runs interleaved on one pipeline, cost per event against 10 runs',
      unit: 'times the cost',
      value: many / few,
      most: 1.5,
    },
    {
      name: 'the same for 10,000 bare subject.pipe(map x 10) against 10, for comparison',
      unit: 'times the cost',
      value: best(() => interleaveBare(10_000, 1)) / best(() => interleaveBare(10, 1_000)),
    },
    {
      name: 'heap kept for each of 10,000 runs after they have ended',
      unit: 'bytes',
      value: Math.max(0, kept / 10_000),
      most: 64,
    },
  ];
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

function best(work: () => number): number {
  return Math.min(...Array.from({ length: 3 }, work));
}

function heap(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
