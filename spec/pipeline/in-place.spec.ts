import { expect } from 'chai';
import { of, tap } from 'rxjs';
import type { SettledEvent } from '../../lib/events/hook-event.ts';
import { textOf } from '../../lib/events/parts/messages.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import type { HookDefinition } from '../../lib/pipeline/define/hook.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { callOf, hear, modelOf, pause, request, toolOf } from './scene.ts';

type Loose = Record<string, unknown>;

/** Possible mutations of the shown object. */
const mutations: Readonly<Record<string, (event: Loose) => void>> = {
  'sets last': (event) => {
    event['last'] = event['last'] !== true;
  },
  'writes another text': (event) => {
    event['delta' in event ? 'delta' : 'content'] = 'EVIL';
  },
  'writes a decision': (event) => {
    event['decision'] = { action: 'abort', reason: 'x', by: 'y' };
  },
  'writes type and seq': (event) => Object.assign(event, { type: 'postCall', seq: 99 }),
  'deletes everything': (event) => {
    for (const key of Object.keys(event)) delete event[key];
  },
};

/** Possible ways to continue. None of them returns the mutation. */
const answers: Readonly<Record<string, (chunk: object, mutate: () => void) => unknown>> = {
  'and returns nothing': (_, mutate) => void mutate(),
  'and returns the chunk': (chunk, mutate) => {
    mutate();
    return chunk;
  },
  'after a while': async (_, mutate) => {
    await pause();
    mutate();
  },
};

const chunkTypes = ['reasoningChunk', 'actingChunk'] as const;

/** A model step and a call, each of three chunks, with all their visible output. */
async function play(hooks: readonly HookDefinition[], consume?: (event: SettledEvent) => void) {
  const pipeline = createPipeline(hooks.map(defineHook), { log: silentLogger });
  const seen: SettledEvent[] = [];
  pipeline.events$.subscribe((event) => seen.push(event));
  const run = pipeline.start({ agent: 'a' });
  for (const events$ of [
    run.reason(request, modelOf('a', 'b', 'c')),
    run.act(callOf('t'), [toolOf('t', () => of('a', 'b', 'c'))]),
  ])
    await hear(consume ? events$.pipe(tap(consume)) : events$).ended;
  await pipeline.flush();
  const of2 = (type: string): readonly Loose[] =>
    seen.filter((event) => event.type === type) as unknown as readonly Loose[];
  return {
    seen,
    errors: of2('error'),
    screens: chunkTypes.map((type) =>
      of2(type)
        .map((chunk) => String(chunk['delta'] ?? chunk['content']))
        .join(''),
    ),
    kept: [
      textOf(seen.find((event) => event.type === 'postReasoning')?.message),
      seen.find((event) => event.type === 'postActing')?.result.content,
    ],
  };
}

// Freezing does not depend on the mode: the suite runs in development, the benches in production.
for (const mode of ['production', 'development']) {
  describe(`writes to a chunk in ${mode}`, () => {
    const before = process.env['NODE_ENV'];
    beforeEach(() => {
      process.env['NODE_ENV'] = mode;
    });
    afterEach(() => {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    });

    for (const [what, mutate] of Object.entries(mutations)) {
      for (const [how, answer] of Object.entries(answers)) {
        const handle = (chunk: object) => answer(chunk, () => mutate(chunk as Loose)) as undefined;
        const write: HookDefinition = { name: 'write', on: { reasoningChunk: handle, actingChunk: handle } };

        it(`fails in a handler that ${what} ${how}`, async () => {
          const { errors, screens } = await play([write]);
          for (const error of errors) expect(error).to.deep.include({ type: 'error', hook: 'write' });
          expect(errors).to.have.length(2);
          expect(screens).to.deep.equal(['', '']);
        });

        it(`has no effect in a skipped handler that ${what} ${how}`, async () => {
          const { screens, kept } = await play([{ ...write, onFailure: 'skip' }]);
          expect([screens, kept]).to.deep.equal([
            ['abc', 'abc'],
            ['abc', 'abc'],
          ]);
        });
      }

      it(`fails in an operator that ${what}`, async () => {
        const through = tap((chunk: object) => mutate(chunk as Loose)) as never;
        const { errors, screens } = await play([
          { name: 'write', through: { reasoningChunk: through, actingChunk: through } },
        ]);
        for (const error of errors) expect(error).to.deep.include({ hook: 'write' });
        expect([errors.length, screens]).to.deep.equal([2, ['', '']]);
      });

      it(`has no effect on others in an observer that ${what}`, async () => {
        const told: SettledEvent[] = [];
        const { seen, screens, kept } = await play([
          { name: 'write', observe: (event) => mutate(event as unknown as Loose) },
          { name: 'audit', observe: (event) => void told.push({ ...event }) },
        ]);
        expect(screens).to.deep.equal(['abc', 'abc']);
        expect(kept).to.deep.equal(['abc', 'abc']);
        expect(told).to.deep.equal(seen);
        expect(seen.map(({ seq }) => seq)).to.deep.equal(seen.map((_, place) => place));
      });

      it(`has no effect on others in a consumer that ${what}`, async () => {
        const { screens, kept } = await play([], (event) => {
          try {
            mutate(event as unknown as Loose);
          } catch {
            // The consumer sees the error and ignores it here.
          }
        });
        expect([screens, kept]).to.deep.equal([
          ['abc', 'abc'],
          ['abc', 'abc'],
        ]);
      });
    }
  });
}
