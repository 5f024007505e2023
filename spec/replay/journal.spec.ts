import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPipeline, defineHook, deny, modify } from 'hookline';
import { backtest, replay } from 'hookline/replay';
import { fileRunStore } from 'hookline/server';
import { recordedRun, recordedSpec, scriptedModel } from 'hookline/testing';
import { hookline } from '../cli/hookline.ts';
import { aHouse, paying } from '../server/runs/a-house.ts';
import { tempFolder } from '../temp-folder.ts';

const doubling = () =>
  defineHook({
    name: 'doubling',
    on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { amount: 2 } as never } }) },
  });
const refusing = () => defineHook({ name: 'refusing', on: { preActing: (event) => deny(event, 'not today') } });
const traced = { trace: { values: (text: string) => text } };

/** Runs an agent on a server with a run store, and returns the log of the run and its export. */
async function logged(model = paying(1)) {
  const folder = tempFolder('journal');
  const { get, post, runs } = aHouse({ model, hooks: [doubling()], pipeline: traced, runStore: fileRunStore(folder) });
  const { json } = await post('/api/runs', { prompt: 'hi' });
  await runs.drain(1_000);
  const [name, ...others] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.jsonl'),
  );
  expect(others).to.deep.equal([]);
  const exported = join(tempFolder('export'), 'run.jsonl');
  writeFileSync(exported, (await get(`/api/runs/${json.runId}/recording`)).text);
  return { folder, file: join(folder, name as string), exported, runId: json.runId as string };
}

describe('the log of a run store', () => {
  it('is replayed like the export of the run', async () => {
    const { file, exported, runId } = await logged();
    const made = await replay(file, createPipeline([doubling()]));
    const [run, ...others] = made.runs;
    expect(others).to.deep.equal([]);
    expect(run?.run.runId).to.equal(runId);
    expect(run?.differences).to.deep.equal([]);
    expect(made).to.include({ lost: 0, cut: false });
    const [other] = (await replay(exported, createPipeline([doubling()]))).runs;
    expect(run?.recorded.map(({ event }) => event.seq)).to.deep.equal(other?.recorded.map(({ event }) => event.seq));
    const parted = await replay(file, createPipeline([refusing()]));
    expect(parted.runs[0]?.differences[0]).to.include({ type: 'preActing' });
  });

  it('keeps the chunks of a stream apart', async () => {
    const { file } = await logged(scriptedModel([{ chunks: ['a', 'bc', 'd'] }]));
    expect(readFileSync(file, 'utf8')).to.include('"ends"');
    const texts = recordedRun(file).reports.flatMap(({ event }) =>
      event.type === 'reasoningChunk' && event.delta !== '' ? [event.delta] : [],
    );
    expect(texts).to.deep.equal(['a', 'bc', 'd']);
    expect(recordedSpec(file)).to.include("describe('a recorded run'");
  });

  it('is tried by a backtest, in its folder', async () => {
    const { file, folder } = await logged();
    const result = await backtest([file], createPipeline([refusing()]));
    expect(result).to.deep.include({ recordings: 1, runs: 1, unreadable: [] });
    expect(result.changes[0]).to.deep.include({ before: 'allow', after: 'deny', hook: 'refusing' });
    const { stdout, code } = await hookline(['backtest', folder, '--preset', 'none'], {});
    expect([code, stdout.split('\n')[0]]).to.deep.equal([0, `1 recordings, 1 runs, ${result.events} events`]);
  });

  it('names a corrupt line, ignores a truncated last line, and counts lost events', async () => {
    const { file } = await logged();
    const text = readFileSync(file, 'utf8');
    const lines = text.split('\n');
    appendFileSync(file, '{"event":');
    expect((await replay(file, createPipeline([]))).cut).to.equal(true);
    const lost = '{"lost":2,"of":"chunks"}';
    writeFileSync(file, `${lost}\n${text}${lost}\n`);
    expect(await replay(file, createPipeline([]))).to.include({ lost: 4, cut: false });
    const chunk = { ...JSON.parse(lines.find((line) => line.includes('"reasoningChunk"')) as string), ends: [9, 3] };
    for (const [broken, issue] of [
      [text.replace(lines[2] as string, '{"event":'), /line 3 is not JSON/],
      [text.replace(lines[2] as string, '{"event":{}}'), /line 3 is not a line of a recording/],
      [
        text.replace(lines[2] as string, '{"event":{"type":"preCall","seq":1,"run":{"runId":"r"}}}'),
        /line 3 contains no event/,
      ],
      [`${text}${JSON.stringify(chunk)}\n`, new RegExp(`line ${lines.length} has chunks that do not match its text`)],
      [`${lost}\n`, /line 1 is not the head of a recording/],
      [`${lost}\n{"a":1}\n`, /line 2 is not a line of a recording/],
    ] as const) {
      writeFileSync(file, broken);
      const thrown = await replay(file, createPipeline([])).catch((error) => error);
      expect(thrown, String(issue)).to.have.property('code', 'INPUT_INVALID');
      expect(thrown.message).to.match(issue);
    }
  });
});
