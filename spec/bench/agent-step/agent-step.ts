import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BenchResult } from '../result.ts';
import { usual } from '../usual.ts';
import type { StepTimes } from './one-process.ts';

const PROCESSES = 5;

/** A warm step of the agent against one of AI SDK 7: the medians of several processes, for one process may be compiled unluckily. */
export function agentStepBench(): BenchResult[] {
  const processes = Array.from({ length: PROCESSES }, inProcess);
  const row = (name: string, most: number, figure: (times: StepTimes) => number): BenchResult => ({
    name,
    unit: 'times the cost',
    value: usual(processes, figure),
    most,
  });
  return [
    row('warm step of the agent, 10 no-op hooks, against generateText of AI SDK 7', 0.35, (t) => t.hooked / t.generate),
    row('the same against streamText', 0.1, (t) => t.hooked / t.stream),
    row(
      'an asynchronous no-op handler in a step, against one concatMap(async ..)',
      1,
      (t) => (t.waiting - t.hooked) / t.waits / t.concatMap,
    ),
    row(
      'what 4,000 messages of history add to a step behind 200, against a step of generateText',
      0.4,
      (t) => (t.long - t.short) / t.generate,
    ),
  ];
}

function inProcess(): StepTimes {
  const script = join(__dirname, 'one-process.ts');
  const flags = ['-C', 'hookline:source', '-r', 'ts-node/register'];
  const env = { ...process.env, NODE_ENV: 'production' };
  return JSON.parse(execFileSync(process.execPath, [...flags, script], { encoding: 'utf8', env }));
}
