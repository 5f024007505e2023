import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { firstValueFrom, forkJoin, last, type Observable } from 'rxjs';
import { z } from 'zod';
import type { Settled } from '../../lib/index.ts';
import { createPipeline, defineTool } from '../../lib/index.ts';
import { claudeHooks, processHook, processHookOptionsSchema } from '../../lib/process-hooks/index.ts';
import { createHookProcess } from '../../lib/process-hooks/picoclaw/hook-process.ts';
import { processChunksBench } from './process-chunks.ts';
import type { BenchResult } from './result.ts';

const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(line + '\\n'));`;
const HOOK = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{}}\\n');
});`;
const CALLS = 3_000;
const tool = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ path: z.string() }),
  execute: () => 'seen',
});

/**
 * A before_tool through a process hook: alone against a bare echo of lines, many at once against one at a time, and against a command
 * hook; then chunks.
 */
export async function processHookBench(): Promise<BenchResult[]> {
  const command = [process.execPath, '-e', HOOK];
  const hook = processHook({ name: 'h', command, intercept: ['before_tool'], profile: 'hookline' });
  await firstValueFrom(hook.start(), { defaultValue: undefined });
  const echo = await startEcho();
  const run = createPipeline([hook]).start({ agent: 'a', sessionId: 's' });
  const act = (): Observable<Settled> => run.act({ id: 'c', name: 'look', input: { path: '.' } }, [tool]).pipe(last());
  const line = 'x'.repeat(480);
  await times(() => firstValueFrom(act()), 2 * CALLS);
  await times(() => echo.ask(line), 500);
  const bare: number[] = [];
  const single: number[] = [];
  for (let round = 0; round < 3; round++) {
    bare.push(await times(() => echo.ask(line), CALLS));
    single.push(await times(() => firstValueFrom(act()), CALLS));
  }
  const own = createHookProcess(processHookOptionsSchema.parse({ name: 'own', command, intercept: ['before_tool'] }), [
    'tool',
  ]);
  const ask = () => own.ask('hook.before_tool', { tool: 'look', arguments: { path: '.' } }, 5_000);
  await times(() => firstValueFrom(ask()), CALLS);
  const one = await times(() => firstValueFrom(ask()), CALLS);
  await times(() => firstValueFrom(forkJoin(Array.from({ length: 64 }, ask))), CALLS / 64);
  const many = await times(() => firstValueFrom(forkJoin(Array.from({ length: 64 }, ask))), CALLS / 64);
  await own.stop();
  echo.child.kill();
  await hook.stop();

  const shell = claudeHooks({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } });
  const slow = createPipeline([shell]).start({ agent: 'a', sessionId: 's' });
  const spawned = await times(
    () => firstValueFrom(slow.act({ id: 'c', name: 'look', input: { path: '.' } }, [tool]).pipe(last())),
    30,
  );
  await shell.close();
  const alone = Math.min(...single);
  return [
    {
      name: 'before_tool through a Node process hook, against a bare echo of a line of that length',
      unit: 'times the cost',
      value: alone / Math.min(...bare),
      most: 1.5,
    },
    {
      name: '64 calls of a process hook at once, against one at a time',
      unit: 'times the throughput',
      value: one / (many / 64),
      least: 5,
    },
    {
      name: 'a command hook (a shell that does nothing), against a process hook',
      unit: 'times the cost',
      value: spawned / alone,
    },
    ...(await processChunksBench()),
  ];
}

async function startEcho(): Promise<{ child: ChildProcessWithoutNullStreams; ask(line: string): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', ECHO]);
  let heard = (): void => {};
  createInterface({ input: child.stdout }).on('line', () => heard());
  return {
    child,
    ask: (line) =>
      new Promise((resolve) => {
        heard = resolve;
        child.stdin.write(`${line}\n`);
      }),
  };
}

/** Nanoseconds of one, after the other. */
async function times(work: () => Promise<unknown>, count: number): Promise<number> {
  const began = process.hrtime.bigint();
  for (let nth = 0; nth < count; nth++) await work();
  return Number(process.hrtime.bigint() - began) / count;
}
