import { from, of } from 'rxjs';
import { z } from 'zod';
import { createPipeline, defineHook, defineTool, type Hook, type Model } from '../../lib/index.ts';
import { measure } from './measure.ts';
import type { BenchResult } from './result.ts';

const SIZE = 400;

const model: Model = () =>
  from([{ type: 'text', delta: 'Let me ' } as const, { type: 'text', delta: 'look.' } as const]);
const tool = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ path: z.string() }),
  execute: () => of('one line', 'another line'),
});
const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Go.' }] }];

/** Hooks that do something of every kind, ten of them, without changing anything. */
export function everyKind(): Hook[] {
  const all = {
    preCall() {},
    preReasoning() {},
    reasoningChunk() {},
    postReasoning() {},
    preActing() {},
    actingChunk() {},
    postActing() {},
    postCall() {},
    error() {},
  };
  return [
    ...Array.from({ length: 6 }, (_, index) => defineHook({ name: `on ${index}`, on: all })),
    defineHook({
      name: 'through',
      through: { reasoningChunk: (chunks$) => chunks$, actingChunk: (chunks$) => chunks$ },
    }),
    defineHook({ name: 'around', around: { reasoning: (_, next) => next(), acting: (_, next) => next() } }),
    defineHook({ name: 'approve', approve: () => ({ verdict: 'approved' }) }),
    defineHook({ name: 'observe', observe() {} }),
  ];
}

/** One agent step (reason, one tool) with all kinds hooked by ten hooks, against the same step without hooks. */
export function stepBench(): BenchResult[] {
  const hooked = createPipeline(everyKind());
  const bare = createPipeline([]);
  let events = 0;
  const step = (pipeline: typeof bare) => () => {
    for (let i = 0; i < SIZE; i++) {
      const run = pipeline.start({ agent: 'a', sessionId: 's' });
      run.reason({ messages }, model).subscribe(() => events++);
      run.act({ id: 'c', name: 'look', input: { path: '.' } }, [tool]).subscribe(() => events++);
    }
  };
  const times = measure({ bare: step(bare), hooked: step(hooked) }, SIZE, 25);
  if (events === 0) throw new Error('nothing was measured');
  return [
    {
      name: 'agent step (reason, one tool) with all kinds hooked by 10 hooks, against no hooks',
      unit: 'times the cost',
      value: (times['hooked'] ?? 0) / (times['bare'] ?? 1),
      most: 2.5,
    },
  ];
}
