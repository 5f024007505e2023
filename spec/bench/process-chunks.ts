import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { concat, count, firstValueFrom, from, of } from 'rxjs';
import { createPipeline, type Model, type ModelChunk } from '../../lib/index.ts';
import { processHook } from '../../lib/process-hooks/index.ts';
import type { BenchResult } from './result.ts';

const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(line + '\\n'));`;
const HOOK = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = method === 'hook.hello' ? { protocol: 2 } : { chunks: params.chunks };
  if (id) process.stdout.write(JSON.stringify({ id, result }) + '\\n');
});`;
const CHUNKS = 200_000;
const TARGET = 100_000;
const DELTAS = Array.from({ length: CHUNKS }, () => 'word ');
const ROUNDS = 5;

/** Chunks a second from a model through a process hook, and through a bare echo of one line each. */
export async function processChunksBench(): Promise<BenchResult[]> {
  const hook = processHook({ name: 'h', command: [process.execPath, '-e', HOOK], chunks: ['reasoning'] });
  const pipeline = createPipeline([hook]);
  const end: ModelChunk = { type: 'finish', finishReason: 'stop' };
  const model: Model = () => concat(from(DELTAS.map((delta): ModelChunk => ({ type: 'text', delta }))), of(end));
  const echo = startEcho();
  await echo.lines(1);
  let through = 0;
  let bare = 0;
  for (let round = 0; round < ROUNDS; round++) {
    through = Math.max(
      through,
      await perSecond(async () => {
        const run = pipeline.start({ agent: 'a' });
        const events = await firstValueFrom(run.reason({ messages: [] }, model).pipe(count()));
        if (events < CHUNKS) throw new Error(`only ${events} events came`);
      }),
    );
    bare = Math.max(bare, await perSecond(() => echo.lines(CHUNKS)));
  }
  echo.kill();
  await hook.stop();
  return [
    {
      name: 'chunks through a process hook (protocol 2, in batches)',
      unit: 'chunks a second',
      value: through,
      least: Math.min(TARGET, bare),
    },
    {
      name: 'chunks through a process hook, against a bare echo of a line for each',
      unit: 'times the throughput',
      value: through / bare,
    },
  ];
}

function startEcho(): { readonly lines: (count: number) => Promise<void>; readonly kill: () => void } {
  const child = spawn(process.execPath, ['-e', ECHO]);
  let left = 0;
  let done = (): void => {};
  createInterface({ input: child.stdout }).on('line', () => {
    left -= 1;
    if (left === 0) done();
  });
  return {
    lines: (count) =>
      new Promise((resolve) => {
        left = count;
        done = resolve;
        child.stdin.write(`${DELTAS.slice(0, count).join('\n')}\n`);
      }),
    kill: () => child.kill(),
  };
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const began = process.hrtime.bigint();
  await work();
  return (CHUNKS * 1e9) / Number(process.hrtime.bigint() - began);
}
