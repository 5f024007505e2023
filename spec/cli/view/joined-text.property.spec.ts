import { expect } from 'chai';
import fc from 'fast-check';
import { createColors } from 'picocolors';
import { bufferCount, concatMap, filter, map, reduce } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { liveView } from '../../../lib/cli/view/live-view.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import type { ReasoningChunk } from '../../../lib/events/reasoning-chunk.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { HookDefinition } from '../../../lib/pipeline/define/hook.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';

const joined = (chunks: readonly ReasoningChunk[]) => chunks.map(({ delta }) => delta).join('');
const pieces = (chunk: ReasoningChunk, edit: (text: string) => string) =>
  [...edit(chunk.delta)].map((delta) => modify(chunk, { delta }));

/** Ways to split a text differently. `edit` receives each piece first. */
const ways: Record<string, (edit: (text: string) => string) => Omit<HookDefinition, 'name'>> = {
  'letter by letter, on': (edit) => ({ on: { reasoningChunk: (chunk) => pieces(chunk, edit) } }),
  'letter by letter, later': (edit) => ({ on: { reasoningChunk: async (chunk) => pieces(chunk, edit) } }),
  'letter by letter, through': (edit) => ({
    through: { reasoningChunk: (chunks$) => chunks$.pipe(concatMap((chunk) => pieces(chunk, edit))) },
  }),
  'without empty chunks, on': (edit) => ({
    on: { reasoningChunk: (chunk) => (edit(chunk.delta) === '' ? [] : undefined) },
  }),
  'in pairs': (edit) => ({
    through: {
      reasoningChunk: (chunks$) =>
        chunks$.pipe(
          bufferCount(2),
          map((chunks) => modify(chunks[0]!, { delta: edit(joined(chunks)) })),
        ),
    },
  }),
  'as one chunk': (edit) => ({
    through: {
      reasoningChunk: (chunks$) =>
        chunks$.pipe(
          reduce((sum, chunk) => modify(sum, { delta: sum.delta + chunk.delta })),
          map((chunk) => modify(chunk, { delta: edit(chunk.delta) })),
        ),
    },
  }),
  'without empty chunks': (edit) => ({
    through: { reasoningChunk: (chunks$) => chunks$.pipe(filter(({ delta }) => edit(delta) !== '')) },
  }),
};

async function told(chunks: readonly string[], hook: Omit<HookDefinition, 'name'>) {
  const pipeline = createPipeline([defineHook({ name: 'h', ...hook })], { trace: true });
  let text = '';
  let said = '';
  pipeline.traces$.subscribe(
    liveView((piece) => {
      text += piece;
    }, createColors(false)),
  );
  pipeline.traces$.subscribe(({ event }) => {
    if (event.type === 'reasoningChunk') said += event.delta;
  });
  await createAgent({ name: 'a', model: scriptedModel([{ chunks: [...chunks] }]), pipeline }).call('go');
  return { changed: text.includes('h changed the streamed text'), other: said !== chunks.join('') };
}

describe('the live view of a hook that splits text differently', () => {
  const chunk = fc
    .array(fc.constantFrom('a', 'b', 'x'), { minLength: 1, maxLength: 4 })
    .map((letters) => letters.join(''));
  // A letter at the end shows that the text after a dropped one is different.
  const chunks = fc.array(chunk, { minLength: 1, maxLength: 6 }).map((list) => [...list, 'end']);

  for (const [name, way] of Object.entries(ways)) {
    it(`reports a changed text only if the joined text differs (${name})`, async () => {
      const seen = { same: 0, other: 0 };
      await fc.assert(
        fc.asyncProperty(chunks, fc.constantFrom('', 'y', 'x'), async (list, instead) => {
          const { changed, other } = await told(
            list,
            way((text) => text.replaceAll('x', instead)),
          );
          seen[other ? 'other' : 'same'] += 1;
          expect(changed).to.equal(other);
        }),
        { numRuns: 200 },
      );
      expect(seen.same).to.be.greaterThan(5);
      expect(seen.other).to.be.greaterThan(5);
    });
  }
});
