import { expect } from 'chai';
import fc from 'fast-check';
import { firstValueFrom, from, toArray } from 'rxjs';
import {
  type ToolResultLimitOptions,
  toolResultLimit,
} from '../../../lib/hooks/tool-result-limit/tool-result-limit.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineTool, type ToolReturn } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';

const NOTICE = /\n\[\d+ characters are left out here\.\]\n/;

/** The streamed text and the result of a tool with this output. */
async function say(limits: ToolResultLimitOptions['limits'], execute: () => ToolReturn) {
  const tool = defineTool({ name: 'talk', description: 'Talks.', inputSchema: { type: 'object' }, execute });
  const run = createPipeline([toolResultLimit({ limits })]).start({ agent: 'a' });
  const events = await firstValueFrom(run.act({ id: 'c', name: 'talk', input: {} }, [tool]).pipe(toArray()));
  const streamed = events.flatMap((event) => (event.type === 'actingChunk' ? [event.content] : []));
  const post = events.find((event) => event.type === 'postActing');
  return { streamed: streamed.join(''), pieces: streamed.length, result: post?.result };
}

describe('toolResultLimit', () => {
  it('keeps the start and end of a result and leaves a shorter one alone', async () => {
    const long = await say([{ maxChars: 100 }], () => 'b'.repeat(500) + 'e'.repeat(500));
    expect(long.result?.content).to.equal(`${'b'.repeat(25)}\n[950 characters are left out here.]\n${'e'.repeat(25)}`);
    const short = await say([{ maxChars: 11 }], () => 'b'.repeat(500) + 'e'.repeat(500));
    expect(short.result?.content).to.equal('bbbbb\u2026eeeee');
    expect((await say([{ maxChars: 10 }], () => 'short')).result?.content).to.equal('short');
  });

  it('never exceeds the limit, notice included, and leaves shorter results alone', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 300 }),
        fc.array(fc.string({ unit: fc.constantFrom('a', '\u00e9', '\u{1f600}'), maxLength: 80 }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.boolean(),
        async (maxChars, pieces, streams) => {
          const text = pieces.join('');
          const { result } = await say([{ maxChars }], () => (streams ? from(pieces) : text));
          const content = result?.content ?? '';
          expect(content.length).to.be.at.most(maxChars);
          if (text.length <= maxChars) expect(content).to.equal(text);
          // Throws for half a surrogate pair.
          encodeURIComponent(content);
        },
      ),
      {
        numRuns: 300,
        examples: [
          [100, ['x'.repeat(101)], false],
          [101, ['x'.repeat(101)], false],
          [101, ['x'.repeat(101)], true],
          // The text has the length of the limit, and the cut would split a surrogate pair.
          [42, [`${'a'.repeat(19)}\u{1f600}${'a'.repeat(21)}`], true],
        ],
      },
    ));

  it('keeps both of a stream: the start as it arrives, the end when it ends', async () => {
    const pieces = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`);
    const { streamed, pieces: shown, result } = await say([{ maxChars: 200 }], () => from(pieces));
    expect(streamed).to.match(NOTICE);
    expect(streamed).to.have.lengthOf.within(180, 200);
    expect(pieces.join('').startsWith(streamed.split(NOTICE)[0] as string)).to.equal(true);
    expect(pieces.join('').endsWith(streamed.split(NOTICE)[1] as string)).to.equal(true);
    expect(result?.content).to.equal(streamed);
    expect(shown).to.be.lessThan(20);
  });

  it('applies the first entry that matches the tool', async () => {
    const limits = [{ tools: ['other'], maxChars: 2 }, { tools: ['ta*'], maxChars: 120 }, { maxChars: 2 }];
    const { result } = await say(limits, () => 'x'.repeat(1_000));
    expect(result?.content.replace(NOTICE, '')).to.have.lengthOf(70);
    expect((await say(limits.slice(0, 1), () => 'x'.repeat(1_000))).result?.content).to.have.lengthOf(1_000);
  });

  it('leaves the part for the user alone', async () => {
    const forUser = 'u'.repeat(500);
    const { result } = await say([{ maxChars: 100 }], () => ({ content: 'c'.repeat(500), isError: false, forUser }));
    expect(result?.forUser).to.equal(forUser);
    expect(result?.content).to.match(NOTICE);
  });

  it('rejects invalid options', () => {
    expect(() => toolResultLimit({ limits: [] }))
      .to.throw('must contain at least one limit')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => toolResultLimit({ limits: [{ maxChars: 1 }] })).to.throw(/limits\.0\.maxChars/);
  });

  it('keeps the hook contract', () => hookContract(toolResultLimit({ limits: [{ maxChars: 1_000 }] })));
});
