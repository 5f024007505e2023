import { expect } from 'chai';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import {
  createPipeline,
  defineHook,
  finish,
  type HoldBackScan,
  holdBack,
  type Model,
  modify,
  type SettledEvent,
} from '../../../lib/index.ts';
import { anEvent } from '../../../lib/testing/index.ts';

const SECRET = 'secret';

/** Holds any text that may still become the word, and never emits the word. */
const scan: HoldBackScan = (text, end) => {
  const at = text.indexOf(SECRET);
  if (at >= 0) return at;
  if (end) return text.length;
  for (let length = Math.min(SECRET.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(SECRET.slice(0, length))) return text.length - length;
  }
  return text.length;
};

async function through(pieces: readonly string[], how: HoldBackScan): Promise<string[]> {
  const chunks$ = from(pieces.map((piece) => anEvent.text(piece)));
  return (await lastValueFrom(chunks$.pipe(holdBack(how), toArray()))).map(({ delta }) => delta);
}

describe('holdBack', () => {
  it("emits text up to the scan's limit, split anywhere", async () => {
    expect(await through(['a se', 'cond ', 's', 'e', 'nd'], scan)).to.deep.equal(['a ', 'second ', 'send']);
  });

  it('never emits text that the scan holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('s', 'e', 'c', 'r', 't', 'se', 'cret', ' ', 'secret')),
        async (pieces) => {
          const whole = pieces.join('');
          const at = whole.indexOf(SECRET);
          const out = (await through(pieces, scan)).join('');
          expect(out).to.equal(at < 0 ? whole : whole.slice(0, at));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('scans once more at the end and drops the held text', async () => {
    expect(await through(['abc'], (text, end) => (end ? text.length : 0))).to.deep.equal(['abc']);
    expect(await through(['abc'], () => 0)).to.deep.equal([]);
  });

  it('passes on decisions and notes of a chunk with held text', async () => {
    const noted = modify(anEvent.text('abc'), {}, { note: { code: 'c', message: 'm' } });
    const given = await lastValueFrom(
      from([noted, finish(anEvent.text('d'))]).pipe(
        holdBack(() => 0),
        toArray(),
      ),
    );
    expect(given.map(({ delta, notes, decision }) => [delta, notes?.length, decision?.action])).to.deep.equal([
      ['', 1, undefined],
      ['', undefined, 'finish'],
    ]);
  });

  for (const count of [-1, 4, 1.5, Number.NaN, undefined]) {
    it(`fails the stream if the scan returns ${count}`, async () => {
      const failure = await through(['abc'], () => count as number).catch((thrown: unknown) => thrown);
      expect(failure).to.have.property('message').that.contains(`its scan gave ${count} for a text of 3 characters`);
    });
  }

  it('works as a part of a hook', async () => {
    const guard = defineHook({ name: 'guard', through: { reasoningChunk: holdBack(scan) } });
    const model: Model = () => from(['my sec', 'ret is'].map((delta) => ({ type: 'text', delta }) as const));
    const events = await lastValueFrom(
      createPipeline([guard]).start({ agent: 'a' }).reason({ messages: [] }, model).pipe(toArray()),
    );
    const texts = (events as SettledEvent[]).flatMap((event) => (event.type === 'reasoningChunk' ? event.delta : []));
    expect(texts.join('')).to.equal('my ');
  });
});
