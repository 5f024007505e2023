import { lastValueFrom, map, take, timer } from 'rxjs';
import { z } from 'zod';
import { createPipeline, defineHook, defineTool, type Tool, type ToolContext, type ToolItem } from '../../lib/index.ts';
import type { BenchResult } from './result.ts';

const LINE = 'x'.repeat(64 * 1024);
const CHUNKS = 1_500;

/** A tool that prints without end through a handler that takes 1 ms a chunk, cut after a fixed count: how far resident memory grows. */
export async function endlessToolBench(): Promise<BenchResult[]> {
  return [
    await grows(
      'pulled',
      printer(async function* () {
        for (;;) yield LINE + Math.random();
      }),
    ),
    await grows(
      'by emit',
      printer(async (_: unknown, { emit }: ToolContext) => {
        for (;;) await emit(LINE + Math.random());
      }),
    ),
  ];
}

function printer(execute: (input: unknown, context: ToolContext) => AsyncIterable<ToolItem> | Promise<never>): Tool {
  return defineTool({ name: 'print', description: 'Prints.', inputSchema: z.object({}), execute });
}

async function grows(how: string, tool: Tool): Promise<BenchResult> {
  const slow = defineHook({ name: 'slow', on: { actingChunk: (chunk) => timer(1).pipe(map(() => chunk)) } });
  const run = createPipeline([slow]).start({ agent: 'a' });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = 0;
  await lastValueFrom(
    run.act({ id: 'c', name: 'print', input: {} }, [tool]).pipe(
      map(() => {
        most = Math.max(most, process.memoryUsage().rss - before);
      }),
      take(CHUNKS),
    ),
  );
  return {
    name: `resident memory while a tool prints without end through a 1 ms handler, ${how}`,
    unit: 'MiB more',
    value: most / 2 ** 20,
    most: 64,
  };
}
