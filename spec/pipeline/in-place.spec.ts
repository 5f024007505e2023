import { expect } from 'chai';
import { delay, map, of, tap, timer } from 'rxjs';
import { finish } from '../../lib/events/decisions/finish.ts';
import { modify } from '../../lib/events/decisions/modify.ts';
import { hookEventSchema } from '../../lib/events/hook-event.ts';
import { textOf } from '../../lib/events/parts/messages.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import type { HookDefinition } from '../../lib/pipeline/define/hook.ts';
import { callOf, hear, modelOf, pause, request, start, toolOf } from './scene.ts';

type Loose = Record<string, unknown>;

/** What a handler may do to the object that it is shown, where chunks are not frozen. */
const mutations: Readonly<Record<string, (chunk: Loose) => void>> = {
  'sets last': (chunk) => {
    chunk['last'] = true;
  },
  'takes last away': (chunk) => {
    chunk['last'] = false;
  },
  'writes other text': (chunk) => {
    chunk['delta' in chunk ? 'delta' : 'content'] = 'x';
  },
  'writes what is no text': (chunk) => {
    chunk['delta' in chunk ? 'delta' : 'content'] = 5;
  },
  'writes a decision': (chunk) => {
    chunk['decision'] = { action: 'abort', reason: 'x', by: 'y' };
  },
  'writes every other member': (chunk) => {
    for (const key of ['type', 'run', 'iteration', 'block', 'part', 'attempt', 'toolCall', 'notes']) chunk[key] = 'x';
  },
  'deletes everything': (chunk) => {
    for (const key of Object.keys(chunk)) delete chunk[key];
  },
};

/** How it may go on then; nothing of what it wrote is returned. */
const answers: Readonly<Record<string, (chunk: object, mutate: () => void) => unknown>> = {
  'and returns nothing': (_, mutate) => void mutate(),
  'and returns the chunk': (chunk, mutate) => {
    mutate();
    return chunk;
  },
  'and answers later': (chunk, mutate) => {
    mutate();
    return Promise.resolve(chunk);
  },
  'after a while': async (_, mutate) => {
    await pause();
    mutate();
  },
  'after a while, and gives the chunk': (chunk, mutate) =>
    timer(1).pipe(
      tap(mutate),
      map(() => chunk),
    ),
  'and fails open': (_, mutate) => {
    mutate();
    throw new Error('down');
  },
};

/** What may stand behind it. */
const later: Readonly<Record<string, readonly HookDefinition[]>> = {
  'before nothing': [],
  'before a handler': [{ name: 'later', on: { reasoningChunk: () => undefined, actingChunk: () => undefined } }],
  'before a slow handler': [{ name: 'later', on: { reasoningChunk: () => pause(), actingChunk: () => pause() } }],
  'before operators': [
    { name: 'later', through: { reasoningChunk: (chunks$) => chunks$, actingChunk: (chunks$) => chunks$ } },
  ],
};

const schema = hookEventSchema;

async function reasoned(hooks: readonly HookDefinition[], trace: boolean) {
  const run = start(hooks.map(defineHook), { freezeChunks: false, trace });
  const heard = hear(run.reason(request, modelOf('a', 'b', 'c')));
  await heard.ended;
  const chunks = heard.of('reasoningChunk');
  const post = heard.of('postReasoning')[0];
  for (const event of heard.events) schema.parse(event);
  return { screen: chunks.map(({ delta }) => delta).join(''), kept: textOf(post?.message), chunks, post, heard };
}

async function acted(hooks: readonly HookDefinition[]) {
  const run = start(hooks.map(defineHook), { freezeChunks: false });
  const heard = hear(run.act(callOf('t'), [toolOf('t', () => of('a', 'b', 'c'))]));
  await heard.ended;
  const chunks = heard.of('actingChunk');
  const post = heard.of('postActing')[0];
  for (const event of heard.events) schema.parse(event);
  return { screen: chunks.map(({ content }) => content).join(''), kept: post?.result.content, chunks, post };
}

/** Text that is written over may stand, what is no text any more may be dropped, but a block ends once and at its end. */
function expectLastAtEnd(chunks: readonly { last: boolean }[]): void {
  expect(chunks.findIndex(({ last }) => last)).to.equal(chunks.length - 1);
}

describe('in production a chunk handler that writes into the chunk', () => {
  for (const [what, mutation] of Object.entries(mutations)) {
    for (const [how, answer] of Object.entries(answers)) {
      const aboutText = /text|everything/.test(what);
      it(`changes nothing else where it ${what} ${how}`, async () => {
        for (const behind of Object.values(later)) {
          const handle = (chunk: object) => answer(chunk, () => mutation(chunk as Loose)) as undefined;
          const first: HookDefinition = {
            name: 'first',
            onFailure: 'skip',
            on: { reasoningChunk: handle, actingChunk: handle },
          };
          for (const trace of [false, true]) {
            const { screen, kept, chunks, post } = await reasoned([first, ...behind], trace);
            expect(kept).to.equal(screen);
            if (!aboutText) expect(screen).to.equal('abc');
            expectLastAtEnd(chunks);
            expect(post?.finishReason).to.equal('stop');
          }
          const tool = await acted([first, ...behind]);
          expect([tool.kept, tool.post?.outcome]).to.deep.equal([tool.screen, 'executed']);
          if (!aboutText) expect(tool.screen).to.equal('abc');
        }
      });
    }
  }

  for (const [what, mutation] of Object.entries(mutations)) {
    it(`shows and keeps one text where it ${what} of a chunk that was rewritten`, async () => {
      const rewrite: HookDefinition = {
        name: 'rewrite',
        on: {
          reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: 'y' })),
          actingChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { content: 'y' })),
        },
      };
      const handle = (chunk: object) => mutation(chunk as Loose);
      const write: HookDefinition = { name: 'write', on: { reasoningChunk: handle, actingChunk: handle } };
      for (const behind of Object.values(later)) {
        const { screen, kept, chunks } = await reasoned([rewrite, write, ...behind], false);
        expect(kept).to.equal(screen);
        // What is no text any more is dropped: the text before the rewriting may have been what must not be seen.
        expect(screen).not.to.match(/[abc]/);
        expectLastAtEnd(chunks);
        const tool = await acted([rewrite, write, ...behind]);
        expect(tool.kept).to.equal(tool.screen);
        expect(tool.post?.outcome).to.equal('executed');
      }
    });
  }

  for (const [what, mutation] of Object.entries(mutations)) {
    it(`lets the stream end where it ${what} of the chunk on which another has said finish`, async () => {
      const stop: HookDefinition = {
        name: 'stop',
        on: {
          reasoningChunk: (chunk) => (chunk.delta === 'b' ? finish(chunk) : undefined),
          actingChunk: (chunk) => (chunk.content === 'b' ? finish(chunk) : undefined),
        },
      };
      const handle = (chunk: object) => mutation(chunk as Loose);
      const write: HookDefinition = { name: 'write', on: { reasoningChunk: handle, actingChunk: handle } };
      for (const behind of Object.values(later)) {
        const { screen, kept, chunks, post } = await reasoned([stop, write, ...behind], false);
        expect([kept, post?.finishReason]).to.deep.equal([screen, 'stopped']);
        expectLastAtEnd(chunks);
        const tool = await acted([stop, write, ...behind]);
        expect([tool.kept, tool.post?.outcome]).to.deep.equal([tool.screen, 'executed']);
        expectLastAtEnd(tool.chunks);
      }
    });
  }

  for (const [what, mutation] of Object.entries(mutations)) {
    it(`doubles nothing where it ${what} of the first of two chunks, however they are given`, async () => {
      const two = [
        (chunk: object) => [chunk, { ...chunk }],
        (chunk: object) => Promise.resolve([chunk, { ...chunk }]),
        (chunk: object) => of(chunk, { ...chunk }).pipe(delay(1)),
      ];
      for (const give of two) {
        const split = (chunk: { last: boolean }) => (chunk.last ? undefined : give(chunk)) as undefined;
        let nth = 0;
        const handle = (chunk: object) => (nth++ === 0 ? mutation(chunk as Loose) : undefined) as undefined;
        const hooks: readonly HookDefinition[] = [
          { name: 'split', on: { reasoningChunk: split, actingChunk: split } },
          { name: 'write', on: { reasoningChunk: handle, actingChunk: handle } },
        ];
        const { screen, kept, chunks } = await reasoned(hooks, false);
        expect(kept).to.equal(screen);
        if (!/text|everything/.test(what)) expect(screen).to.equal('aabbcc');
        expectLastAtEnd(chunks);
        nth = 0;
        const tool = await acted(hooks);
        expect(tool.kept).to.equal(tool.screen);
        if (!/text|everything/.test(what)) expect(tool.screen).to.equal('aabbcc');
        expectLastAtEnd(tool.chunks);
      }
    });
  }

  it('changes no more than it returns', async () => {
    const handle = (chunk: Loose) => {
      const last = chunk['last'];
      chunk['last'] = true;
      chunk['attempt'] = 7;
      return last ? undefined : modify(chunk as never, { delta: 'x' } as never);
    };
    const { screen, kept, chunks } = await reasoned([{ name: 'h', on: { reasoningChunk: handle as never } }], false);
    expect([screen, kept]).to.deep.equal(['xxx', 'xxx']);
    expect(chunks.map(({ last, attempt }) => [last, attempt])).to.deep.equal([
      [false, 1],
      [false, 1],
      [false, 1],
      [true, 1],
    ]);
  });
});

describe('in production operators that write into the chunk', () => {
  const through = (write: (chunk: Loose) => void): HookDefinition => ({
    name: 'h',
    through: {
      reasoningChunk: tap((chunk) => write(chunk as unknown as Loose)),
      actingChunk: tap((chunk) => write(chunk as unknown as Loose)),
    },
  });

  it('change text only, on the screen and in the transcript alike', async () => {
    const hook = through((chunk) => {
      chunk['delta' in chunk ? 'delta' : 'content'] = 'x';
      Object.assign(chunk, { last: true, attempt: 7, iteration: 7, block: 7, part: 'thinking' });
    });
    for (const behind of Object.values(later)) {
      const { screen, kept, chunks } = await reasoned([hook, ...behind], false);
      expect([screen, kept]).to.deep.equal(['xxx', 'xxx']);
      expect(chunks.map(({ last, attempt }) => [last, attempt])).to.deep.equal([
        [false, 1],
        [false, 1],
        [false, 1],
        [true, 1],
      ]);
      const tool = await acted([hook, ...behind]);
      expect([tool.screen, tool.kept]).to.deep.equal(['xxx', 'xxx']);
    }
  });
});
