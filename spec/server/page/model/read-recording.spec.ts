import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createPipeline } from 'hookline';
import { runRecorder } from 'hookline/hooks';
import { recordedRun } from 'hookline/testing';
import { readRecording } from '../../../../lib/server/page/model/read-recording.ts';
import { createRunModel } from '../../../../lib/server/page/model/run-model.ts';
import { tempFolder } from '../../../temp-folder.ts';
import { longRecording } from '../a-recording.ts';
import { storyAgent, storyHooks } from '../a-story.ts';

/** Returns the file of a run that the recorder has written. */
async function recorded(): Promise<string> {
  const folder = tempFolder('recordings');
  const pipeline = createPipeline([...storyHooks(), runRecorder({ folder, redact: false })]);
  await storyAgent({ pipeline }).call('Write the release notes and put them online.');
  await pipeline.flush();
  return join(folder, readdirSync(folder)[0] as string);
}

async function* inPieces(text: string, ends: readonly number[]): AsyncGenerator<string> {
  let begin = 0;
  for (const end of [...ends, text.length]) {
    yield text.slice(begin, end);
    begin = end;
  }
}

async function read(text: string, ends: readonly number[] = [], most?: number) {
  const model = createRunModel();
  const end = await readRecording(inPieces(text, ends), model, undefined, most === undefined ? {} : { most });
  return { model, ...end };
}

describe('a recording on the page', () => {
  let file: string;
  let text: string;
  before(async () => {
    file = await recorded();
    text = readFileSync(file, 'utf8');
  });

  it('has the same events, steps and complete model requests as in specs', async () => {
    const { model, error } = await read(text);
    expect(error).to.equal(undefined);
    const { reports } = recordedRun(file);
    expect(model.events).to.have.length(reports.length);
    for (const [index, { event, steps }] of reports.entries()) {
      const shown = model.events[index]!;
      const whole = shown.type === 'preReasoning' ? { ...shown, ...model.requestOf(index) } : shown;
      expect(whole).to.deep.equal(event);
      expect(model.stepsOf(index)).to.deep.equal(steps);
    }
    expect(model.nodes.map(({ info, depth }) => [info.agent, depth])).to.deep.equal([
      ['writer', 0],
      ['researcher', 1],
    ]);
  });

  it('is the same in any chunks', async () => {
    const whole = (await read(text)).model.events;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 30 }), async (ends) => {
        const { model, error } = await read(
          text,
          [...ends].sort((a, b) => a - b),
        );
        expect(error).to.equal(undefined);
        expect(model.events).to.deep.equal(whole);
      }),
    );
  });

  it('is shown up to a truncation, which is reported', async () => {
    const lines = text.split('\n');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length - 2 }), async (end) => {
        const { model, error } = await read(text.slice(0, end));
        expect(error).to.match(/truncated|ends before|not JSON|no events/);
        // A line that lacks only its line feed is complete.
        const whole = text.slice(0, end).split('\n').length - 2;
        expect(model.events.length).to.be.within(Math.max(0, whole), Math.max(0, whole + 1));
        expect(lines.length).to.be.above(model.events.length);
      }),
    );
  });

  it('is shown partially if it is too large for a tab', async () => {
    const { model, error } = await read(longRecording(2_000), [50_000, 100_000, 150_000], 90_000);
    expect(error).to.include(`The page shows the first ${model.events.length} events`);
    expect(model.events.length).to.be.within(100, 1_000);
  });

  it('allows drawing while it is read', async () => {
    let pauses = 0;
    await readRecording(inPieces(longRecording(2_000), []), createRunModel(), async () => {
      pauses += 1;
    });
    expect(pauses).to.be.above(20);
  });
});
