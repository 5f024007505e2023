import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permission, runRecorder } from '../../../lib/hooks/index.ts';
import { createAgent, createPipeline, defineHook, type Hook, type SettledEvent } from '../../../lib/index.ts';
import { backtest, replay } from '../../../lib/replay/index.ts';
import { readReplayable } from '../../../lib/replay/read-run.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import type { BenchResult } from '../result.ts';

const RUNS = 200;
const ROUNDS = 7;
const WORDS = 'The hook sees the call before it runs, and the result after it. '.split(' ');

/** Recordings of forty events each: a backtest against parsing them, a replay against the run itself, and recording against its JSON. */
export async function replayBench(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  try {
    const recorder = runRecorder({ folder, keep: 10 * RUNS });
    for (let index = 0; index < RUNS; index++) run(createPipeline([policy(), recorder]));
    const files = readdirSync(folder).map((name) => join(folder, name));
    const policyNow = createPipeline([policy()]);
    const tested = await best(() => backtest(files, policyNow));
    const parsed = await best(() => {
      for (const file of files)
        for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
    });
    const recordings = files.map(readReplayable);
    const replayed = await best(async () => {
      for (const recording of recordings) await replay(recording, policyNow);
    });
    const ran = await best(() => {
      for (const _ of recordings) run(policyNow);
    });
    return [
      {
        name: 'a backtest of recordings of 40 events',
        unit: 'times JSON.parse of them',
        value: tested / parsed,
        most: 12,
      },
      { name: 'a replay of a run of 40 events', unit: 'times the scripted run', value: replayed / ran, most: 2 },
      recordingRow(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The events of one run of 2,000 chunks, recorded without redaction and trace, against the JSON of the same events and the same writes. */
function recordingRow(folder: string): BenchResult {
  const events: SettledEvent[] = [];
  const keep = defineHook({ name: 'keep', observe: (event) => void events.push(event) });
  const plain = runRecorder({ folder: join(folder, 'plain'), redact: false, trace: false, keep: 10 });
  const [without, with_] = [
    [policy(), keep],
    [policy(), keep, plain],
  ].map((hooks) => createPipeline(hooks as Hook[]));
  const time = (work: () => void): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5 * ROUNDS; round++) {
      const began = performance.now();
      for (let index = 0; index < 2; index++) work();
      least = Math.min(least, performance.now() - began);
    }
    return least;
  };
  const base = time(() => run(without as ReturnType<typeof createPipeline>, 500));
  events.length = 0;
  run(without as ReturnType<typeof createPipeline>, 500);
  const one = [...events];
  const json = time(() => {
    for (const event of one) JSON.stringify({ event });
  });
  const value = (time(() => run(with_ as ReturnType<typeof createPipeline>, 500)) - base) / json;
  return { name: 'recording without redaction', unit: 'times JSON.stringify of it', value, most: 1.5 };
}

function policy(): Hook {
  return permission({ deny: ['Bash(rm *)'], allow: ['*'] });
}

function run(pipeline: ReturnType<typeof createPipeline>, chunks = 6): void {
  const text = { chunks: Array.from({ length: chunks }, (_, index) => `${WORDS[index % WORDS.length]} `) };
  const calls = (at: number) => ({
    ...text,
    toolCalls: [{ name: 'look', input: { path: `src/file-${at}.ts`, lines: 40 } }],
  });
  let done = false;
  createAgent({
    name: 'bench',
    model: scriptedModel([calls(1), calls(2), calls(3), text]),
    tools: [scriptedTool({ name: 'look', permission: 'read', result: WORDS.join(' ').repeat(4) })],
    pipeline,
  })
    .run('Look at the files, and say what they do.')
    .subscribe((event) => {
      done ||= event.type === 'postCall' && event.outcome === 'completed';
    });
  if (!done) throw new Error('the run did not complete');
}

async function best(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
