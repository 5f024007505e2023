import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { firstValueFrom, last, lastValueFrom, mergeMap, type Observable, range } from 'rxjs';
import { z } from 'zod';
import { freezeEvent } from '../../lib/events/values/deep-freeze.ts';
import { createPipeline, defineTool, type PreActing, type RunInfo, type SettledEvent } from '../../lib/index.ts';
import { passGate } from '../../lib/pipeline/gate/gate.ts';
import { createStep } from '../../lib/pipeline/run/step-scope.ts';
import { claudeHooks, processHook, processHookOptionsSchema } from '../../lib/process-hooks/index.ts';
import { toolParams } from '../../lib/process-hooks/picoclaw/before-tool.ts';
import { createHookProcess } from '../../lib/process-hooks/picoclaw/hook-process.ts';
import { processChunksBench } from './process-chunks.ts';
import type { BenchResult } from './result.ts';
import { scopeOf } from './scope-of.ts';
import { usual } from './usual.ts';

const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(line + '\\n'));`;
const HOOK = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{}}\\n');
});`;
/** Writes the answers to all that it has read at once in one go, as a hook that is asked much should. */
const BUSY_HOOK = `let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  const ids = lines.map((line) => JSON.parse(line).id).filter(Boolean);
  process.stdout.write(ids.map((id) => '{"jsonrpc":"2.0","id":' + id + ',"result":{}}\\n').join(''));
});`;
const CALLS = 512;
const ROUNDS = 31;
const tool = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ path: z.string() }),
  execute: () => 'seen',
});

/**
 * A before_tool through a process hook, from the event at its gate to the event behind it: alone against a bare echo of lines, many at
 * once against one at a time. A whole call of a tool through it, also against a command hook; then chunks.
 */
export async function processHookBench(): Promise<BenchResult[]> {
  const command = [process.execPath, '-e', HOOK];
  const hook = processHook({ name: 'h', command, intercept: ['before_tool'], profile: 'hookline' });
  await firstValueFrom(hook.start(), { defaultValue: undefined });
  const echo = await startEcho();
  const pipeline = createPipeline([hook]);
  const run = pipeline.start({ agent: 'a', sessionId: 's' });
  const act = (): Observable<SettledEvent> =>
    run.act({ id: 'c', name: 'look', input: { path: '.' } }, [tool]).pipe(last());
  const scope = scopeOf(pipeline);
  const event = freezeEvent(preActing(scope.info));
  const step = createStep(scope, 'acting');
  const gate = () => firstValueFrom(passGate(step, event) as Observable<unknown>);
  // As long as what the hook is sent.
  const params = () => toolParams(event, 'turn.tool.before');
  const line = `{"jsonrpc":"2.0","id":${CALLS},"method":"hook.before_tool","params":${params()}}`;
  const own = createHookProcess(
    processHookOptionsSchema.parse({
      name: 'own',
      command: [process.execPath, '-e', BUSY_HOOK],
      intercept: ['before_tool'],
    }),
    ['tool'],
  );
  const ask = () => own.ask('hook.before_tool', params(), 5_000);
  // 64 all the time: when one is answered, the next is asked.
  const askMany = () => lastValueFrom(range(0, CALLS).pipe(mergeMap(ask, 64)));
  const rounds: Record<'bare' | 'gate' | 'act' | 'one' | 'many', number>[] = [];
  // What two processes on two cores take depends on where they happen to run, for a while: what is compared is measured close together.
  for (let round = -5; round < ROUNDS; round++) {
    const took = {
      bare: await times(() => echo.ask(line), CALLS),
      gate: await times(gate, CALLS),
      act: await times(() => firstValueFrom(act()), CALLS),
      one: await times(() => firstValueFrom(ask()), CALLS),
      many: (await times(askMany, 1)) / CALLS,
    };
    // The first ones are for warming up.
    if (round >= 0) rounds.push(took);
  }
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
  return [
    {
      name: 'before_tool through a Node process hook, against a bare echo of a line of that length',
      unit: 'times the cost',
      value: usual(rounds, ({ gate, bare }) => gate / bare),
      most: 1.8,
    },
    {
      name: 'a whole call of a tool through that hook, against the same echo',
      unit: 'times the cost',
      value: usual(rounds, ({ act, bare }) => act / bare),
    },
    {
      name: '64 calls of a process hook at once, against one at a time',
      unit: 'times the throughput',
      value: usual(rounds, ({ one, many }) => one / many),
      least: 4,
    },
    {
      name: 'a command hook (a shell that does nothing), against a process hook',
      unit: 'times the cost',
      value: usual(rounds, ({ act }) => spawned / act),
    },
    ...(await processChunksBench()),
  ];
}

function preActing(run: RunInfo): PreActing {
  const toolCall = { id: 'c', name: 'look', input: { path: '.' } };
  return { type: 'preActing', run, iteration: 1, toolCall, permission: 'external', description: 'Looks.' };
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
