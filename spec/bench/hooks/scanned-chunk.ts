import { Subject } from 'rxjs';
import { securityScan } from '../../../lib/hooks/index.ts';
import { createPipeline, defineHook, type Hook, type ModelChunk } from '../../../lib/index.ts';
import { measure } from '../measure.ts';
import type { BenchResult } from '../result.ts';

const SIZE = 20_000;
const WORDS = 'It was late when the two of them came back, and nobody had left a light on. '.match(/.{1,5}/gs) ?? [];

/** A chunk of prose from a pushing model through security-scan to the consumer, against the same through one handler that does nothing. */
export function scannedChunkBench(): BenchResult[] {
  const nothing = defineHook({ name: 'nothing', on: { reasoningChunk: () => undefined } });
  const times = measure({ scanned: playing(securityScan()), nothing: playing(nothing) }, SIZE);
  return [
    {
      name: 'chunk through security-scan, against one no-op handler',
      unit: 'times the cost',
      value: (times['scanned'] ?? 0) / (times['nothing'] ?? 1),
    },
  ];
}

function playing(hook: Hook): () => void {
  const pipeline = createPipeline([hook]);
  return () => {
    const source = new Subject<ModelChunk>();
    let shown = 0;
    pipeline
      .start({ agent: 'a' })
      .reason({ messages: [] }, () => source)
      .subscribe(() => {
        shown += 1;
      });
    for (let i = 0; i < SIZE; i++) source.next({ type: 'text', delta: WORDS[i % WORDS.length] ?? '' });
    source.complete();
    if (shown < SIZE / 2) throw new Error(`only ${shown} of ${SIZE} chunks came out`);
  };
}
