import { map, Subject } from 'rxjs';
import { createPipeline, defineHook, type ModelChunk, modify, type ReasoningChunk } from '../../lib/index.ts';
import { measure } from './measure.ts';
import type { BenchResult } from './result.ts';

const SIZE = 50_000;

/** A chunk from a pushing model through ten handlers to the consumer, against the bare chain of ten maps. */
export function chunkBench(): BenchResult[] {
  return [
    compare(
      'no-op',
      (chunk) => chunk,
      () => undefined,
    ),
    compare(
      'changing',
      (chunk) => ({ ...chunk, delta: `${chunk.delta}.` }),
      (chunk) => modify(chunk, { delta: `${chunk.delta}.` }),
    ),
  ];
}

function compare(
  kind: string,
  bare: (chunk: ReasoningChunk) => ReasoningChunk,
  handle: (chunk: ReasoningChunk) => ReasoningChunk | undefined,
): BenchResult {
  const delta = 'word ';
  const hooks = Array.from({ length: 10 }, (_, index) =>
    defineHook({ name: `h${index}`, on: { reasoningChunk: (chunk) => handle(chunk) } }),
  );
  const pipeline = createPipeline(hooks);
  let kept: unknown;
  const times = measure(
    {
      bare: () => {
        const source = new Subject<ReasoningChunk>();
        const step = () => map((chunk: ReasoningChunk) => bare(chunk));
        source
          .pipe(step(), step(), step(), step(), step(), step(), step(), step(), step(), step())
          .subscribe((chunk) => {
            kept = chunk;
          });
        const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
        for (let i = 0; i < SIZE; i++) {
          source.next({
            type: 'reasoningChunk',
            run,
            iteration: 1,
            part: 'text',
            delta,
            block: 0,
            attempt: 1,
            last: false,
          });
        }
        source.complete();
      },
      hookline: () => {
        const source = new Subject<ModelChunk>();
        pipeline
          .start({ agent: 'a' })
          .reason({ messages: [] }, () => source)
          .subscribe((event) => {
            kept = event;
          });
        for (let i = 0; i < SIZE; i++) source.next({ type: 'text', delta });
        source.complete();
      },
    },
    SIZE,
  );
  void kept;
  return {
    name: `chunk through 10 ${kind} handlers, against subject.pipe(map x 10)`,
    unit: 'times the cost',
    value: (times['hookline'] ?? 0) / (times['bare'] ?? 1),
    most: 2,
  };
}
