import { expect } from 'chai';
import fc from 'fast-check';
import type { SettledEvent } from '../../../lib/index.ts';
import { Journal } from '../../../lib/server/sse/journal.ts';
import { aStream } from '../a-stream.ts';
import { type Frame, framesOf } from '../sse-frames.ts';

const WIDE = { chunks: 1_000_000, gates: 1_000_000 };
const journalOf = (events: readonly SettledEvent[], limits = WIDE) => {
  const journal = new Journal('own', limits);
  for (const event of events) journal.append(event);
  return journal;
};

function readFrom(journal: Journal, from: number): Frame[] {
  const frames: Frame[] = [];
  for (let batch = journal.read(from); batch; batch = journal.read(batch.to)) {
    frames.push(...framesOf(new TextDecoder().decode(batch.bytes)));
  }
  return frames;
}

const shown = (frames: readonly Frame[]) =>
  frames.map(({ id, event, data }) => [id, event === 'lost' ? JSON.stringify(data) : (data.delta ?? event)]);

describe('the journal of a run', () => {
  it('joins adjacent chunks of a block, part and attempt, under the ID of the last', () => {
    const { text, gate } = aStream();
    const journal = journalOf([
      gate(),
      text('a'),
      text('b'),
      text('', { last: true }),
      text('c', { block: 1 }),
      text('d', { block: 1, attempt: 2 }),
      text('e', { block: 1, attempt: 2, part: 'thinking' }),
      gate(),
    ]);
    expect(shown(readFrom(journal, 0))).to.deep.equal([
      ['0', 'preCall'],
      ['3', 'ab'],
      ['4', 'c'],
      ['5', 'd'],
      ['6', 'e'],
      ['7', 'preCall'],
    ]);
    expect(readFrom(journal, 0)[1]?.data).to.include({ seq: 3, last: true });
  });

  it('keeps chunks with a decision or a note separate', () => {
    const { text } = aStream();
    const noted = { notes: [{ by: 'h', code: 'c', message: 'm' }] };
    const finished = { decision: { action: 'finish' as const, by: 'h' } };
    const journal = journalOf([text('a'), text('b', noted), text('c'), text('d', finished), text('e')]);
    expect(shown(readFrom(journal, 0)).map(([, delta]) => delta)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  it('stores traces of chunks only within its limits', () => {
    const { text } = aStream();
    const limits = { chunks: 20_000, gates: 1_000 };
    const journal = new Journal('own', limits);
    journal.watched = true;
    const changes = [{ path: 'delta', before: 'x'.repeat(4_000), after: '' }];
    const step = { hook: 'h', priority: 1, stage: 'on', effect: 'changed', paths: ['delta'], changes, ms: 0 } as const;
    for (let at = 0; at < 100; at++) journal.append(text('a'), [step]);
    expect(journal.size).to.be.within(4_000, limits.chunks);
    const [first] = readFrom(journal, 0);
    expect(first?.event).to.equal('lost');
    expect(first?.data['chunks']).to.be.above(90);
    const kept = readFrom(journal, 0).filter(({ event }) => event === 'trace');
    expect(JSON.stringify(kept).length).to.be.below(limits.chunks);
  });

  it('counts events of sub-agents after the last own one', () => {
    const { gate, childText } = aStream();
    const journal = journalOf([gate(), childText('a'), childText('b'), gate(), childText('c')]);
    expect(shown(readFrom(journal, 0)).map(([id]) => id)).to.deep.equal(['0', '0.2', '1', '1.1']);
    expect(shown(readFrom(journal, journal.placeAfter('0.1') as number))[0]).to.deep.equal(['0.2', 'b']);
  });

  it('sends each event to clients that keep up', () => {
    const { text } = aStream();
    const journal = new Journal('own', WIDE);
    journal.watched = true;
    for (const delta of ['a', 'b', 'c']) journal.append(text(delta));
    expect(shown(readFrom(journal, 1))).to.deep.equal([
      ['1', 'b'],
      ['2', 'c'],
    ]);
  });

  it('encodes a batch once for all clients at the same place', () => {
    const { text } = aStream();
    const journal = new Journal('own', WIDE);
    journal.watched = true;
    journal.append(text('a'));
    expect(journal.read(0)).to.equal(journal.read(0));
  });

  it('drops the oldest chunks beyond its limit and reports the number, but never gate events', () => {
    const { text, gate } = aStream();
    const events = [gate()];
    for (let index = 0; index < 100; index++) events.push(text('x'.repeat(1_000), { block: index }));
    events.push(gate());
    const journal = journalOf(events, { chunks: 20_000, gates: 1_000_000 });
    const frames = readFrom(journal, 0);
    const lost = Number(frames[1]?.data['chunks']);
    expect(frames.map(({ event }) => event).slice(0, 2)).to.deep.equal(['preCall', 'lost']);
    expect(lost).to.be.within(80, 90);
    expect(frames.filter(({ event }) => event === 'reasoningChunk')).to.have.length(100 - lost);
    expect(frames.at(-1)?.id).to.equal('101');
  });

  it('reports only the events that a reconnected client has missed itself', () => {
    const { text, gate } = aStream();
    const events = [gate()];
    for (let index = 0; index < 100; index++) events.push(text('x'.repeat(1_000), { block: index }));
    const journal = journalOf(events, { chunks: 20_000, gates: 1_000_000 });
    const all = readFrom(journal, 0)[1]?.data['chunks'] as number;
    expect(readFrom(journal, journal.placeAfter('30') as number)[0]?.data['chunks']).to.equal(all - 30);
  });

  it('reports lost gate events if even they exceed its limit', () => {
    const { gate } = aStream();
    const events = Array.from({ length: 100 }, () => gate(1_000));
    const frames = readFrom(journalOf(events, { chunks: 1, gates: 20_000 }), 0);
    expect(frames[0]?.event).to.equal('lost');
    expect((frames[0]?.data['gates'] as number) + frames.length - 1).to.equal(100);
  });

  it('rejects unknown IDs', () => {
    const { gate } = aStream();
    const journal = journalOf([gate(), gate()]);
    for (const id of ['2', '1.1', '-1', 'x', '', '1.0', '0x1', '1+x'])
      expect(journal.placeAfter(id)).to.equal(undefined);
    expect(new Journal('own', WIDE).placeAfter('0')).to.equal(undefined);
  });

  it('sends its remark after the end, once', () => {
    const { gate } = aStream();
    const journal = journalOf([gate()]);
    journal.setRemark('resumed', { runId: 'next' });
    expect(journal.read(1)).to.equal(undefined);
    journal.close();
    expect(shown(readFrom(journal, 1))).to.deep.equal([['0+', 'resumed']]);
    expect(journal.read(journal.placeAfter('0+') as number)).to.equal(undefined);
  });

  it('loses and repeats nothing at any disconnect and reconnect', () => {
    const kinds = fc.constantFrom('text', 'text', 'text', 'childText', 'gate', 'last', 'block');
    const counts = { resumed: 0, joined: 0, watched: 0 };
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 60 }), fc.infiniteStream(fc.nat({ max: 5 })), (plan, dice) => {
        const stream = aStream();
        const journal = new Journal('own', WIDE);
        const roll = () => dice.next().value as number;
        const got: Frame[] = [];
        const wanted: string[] = [];
        let block = 0;
        let place = 0;
        const read = () => {
          const batch = journal.read(place);
          if (!batch) return;
          const frames = framesOf(new TextDecoder().decode(batch.bytes));
          const taken = frames.slice(0, 1 + roll());
          got.push(...taken);
          counts.joined += taken.filter(({ data }) => (data.delta?.length ?? 0) > 1).length;
          counts.resumed += taken.length < frames.length ? 1 : 0;
          place = journal.placeAfter(taken.at(-1)?.id as string) as number;
        };
        ['gate', ...plan].forEach((kind, index) => {
          if (kind === 'block') block += 1;
          const letter = String.fromCharCode(97 + (index % 26));
          if (roll() === 0) {
            journal.watched = index % 2 === 0;
            counts.watched += 1;
          }
          if (kind === 'gate') journal.append(stream.gate());
          else if (kind === 'last') journal.append(stream.text('', { block, last: true }));
          else if (kind === 'childText') journal.append(stream.childText(letter));
          else journal.append(stream.text(letter, { block }));
          wanted.push(kind === 'gate' ? '|' : kind === 'last' ? '' : letter);
          if (roll() === 0) read();
        });
        while (place < journal.end) read();
        expect(got.map(({ event, data }) => (event === 'preCall' ? '|' : data.delta)).join('')).to.equal(
          wanted.join(''),
        );
      }),
      { numRuns: 300 },
    );
    for (const [what, count] of Object.entries(counts)) expect(count, what).to.be.greaterThan(50);
  });
});
