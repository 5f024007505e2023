import { createPipeline, defineHook, type Pipeline } from '../../../lib/index.ts';
import { allocationsOf } from '../../bench/loops/allocations.ts';
import type { BenchResult } from '../../bench/result.ts';
import { usual } from '../../bench/usual.ts';

/** Steps of a run: each sends a model request and runs a tool. */
export const STEPS = 50;
/** Until the compiler of V8 has optimized both. */
const WARM = 50;
const ROUNDS = WARM + 20;

const nothing = { preReasoning() {}, reasoningChunk() {}, postReasoning() {}, preActing() {}, postActing() {} };

/** Ten hooks that do nothing. */
export function idleHooks(): Pipeline {
  return createPipeline(Array.from({ length: 10 }, (_, nth) => defineHook({ name: `hook-${nth}`, on: nothing })));
}

/** The cost of a run of `host` with hooks, relative to the bare one. Each round measures both, so that other load affects both. */
export async function against(
  { host, most }: { readonly host: string; readonly most: number },
  bare: () => Promise<unknown>,
  hooked: () => Promise<unknown>,
): Promise<BenchResult> {
  const rounds: { readonly bare: number; readonly hooked: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = { bare: await timed(bare), hooked: await timed(hooked) };
    if (round >= WARM) rounds.push(times);
  }
  const value = usual(rounds, (times) => times.hooked / times.bare);
  const allocations = { measured: await allocationsOf(hooked, STEPS), against: await allocationsOf(bare, STEPS) };
  const name = `step of ${host} with 10 no-op hooks, against without`;
  return { name, unit: 'times the cost', value, most, allocations };
}

/** Processor time in microseconds, which excludes other processes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
