import { expect } from 'chai';
import fc from 'fast-check';
import { binTrack } from '../../../../lib/server/page/lanes/bins.ts';
import { tracksOf } from '../../../../lib/server/page/lanes/tracks.ts';
import { type Axis, moved, placeOf, type Window, wholeRun, zoomed } from '../../../../lib/server/page/lanes/window.ts';
import { readRecording } from '../../../../lib/server/page/model/read-recording.ts';
import { createRunModel, type RunModel } from '../../../../lib/server/page/model/run-model.ts';
import { longRecording } from '../a-recording.ts';

const WIDTH = 900;
const view = (axis: Axis, window: Window) => ({ axis, window, end: window.to, waits: [] });
const axes = ['time', 'order'] as const;

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}

describe('a lane of a run', () => {
  let model: RunModel;
  before(async () => {
    model = createRunModel();
    await readRecording(pieces(longRecording(3_000)), model);
  });

  it('contains every visible event once, in as many marbles as fit', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...axes), share, share, (axis, a, b) => {
        const whole = wholeRun(model, axis);
        const at = (part: number) => whole.from + part * (whole.to - whole.from);
        const window: Window = { from: at(Math.min(a, b)), to: at(Math.max(a, b)) + 0.001 };
        for (const track of tracksOf(model, new Set())) {
          const { marbles, density } = binTrack(model, track, view(axis, window), WIDTH);
          const column = model.nodes[track.node]!.byLane[track.lane!]!;
          const inView = Array.from({ length: column.length }, (_, index) =>
            placeOf(model, axis, column.at(index)),
          ).filter((place) => place >= window.from && place < window.to).length;
          if (density.length > 0) expect(density.reduce((sum, count) => sum + count, 0)).to.be.at.least(inView);
          else expect(marbles.reduce((sum, { count }) => sum + count, 0)).to.equal(inView);
          expect(marbles.length).to.be.at.most(WIDTH / 7 + 1);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('shows the most important of overlapping events', () => {
    const track = tracksOf(model, new Set()).find(({ lane }) => lane === 4)!;
    const { marbles } = binTrack(model, track, view('time', wholeRun(model, 'time')), 20);
    expect(marbles.length).to.be.at.most(3);
    expect(marbles.every(({ mark }) => mark === 1)).to.equal(true);
    for (const { index, mark } of marbles) expect(model.mark.at(index)).to.equal(mark);
  });

  it('keeps the order of events of one millisecond', () => {
    const one = createRunModel();
    const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
    for (let seq = 0; seq < 50; seq += 1)
      one.append({ type: 'preCall', run, iteration: 0, messages: [], seq, time: seq === 30 ? 0 : 5 });
    const places = Array.from({ length: 50 }, (_, index) => placeOf(one, 'time', index));
    expect(places.every((place, index) => index === 0 || place > places[index - 1]!)).to.equal(true);
    expect(places.at(-1)).to.be.below(1);
  });

  it('stays within the run after any zoom and move', () => {
    const steps = fc.array(
      fc.record({
        factor: fc.double({ min: 0.1, max: 10, noNaN: true }),
        by: fc.double({ min: -2, max: 2, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(steps, (taken) => {
        const whole = wholeRun(model, 'time');
        let window = whole;
        for (const { factor, by } of taken) {
          window = zoomed(window, factor, (window.from + window.to) / 2, whole, 0.2);
          window = moved(window, by * (window.to - window.from), whole);
          expect(window.from).to.be.at.least(whole.from);
          expect(window.to).to.be.at.most(whole.to + 1e-6);
          expect(window.to - window.from).to.be.at.least(0.19);
        }
      }),
    );
  });
});
