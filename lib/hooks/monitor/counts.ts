import type { Usage } from '../../events/parts/usage.ts';
import type { Measure } from '../measures/step-clock.ts';
import { BILLIONTHS } from '../tokens/prices.ts';

/** The counts of one run or of all runs. Durations are in milliseconds, money in the currency of the prices. */
export type MonitorCounts = {
  readonly runs: Readonly<Record<string, number>>;
  readonly runMs: number;
  readonly modelSteps: number;
  readonly modelStepMs: number;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly toolMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cost?: number;
};

/** Increasing counts. */
export interface Counter {
  measured(measure: Measure): void;
  /** `cost` is in billionths; absent if unknown. */
  used(usage: Usage, cost: number | undefined): void;
  counts(): MonitorCounts;
}

/** Starts at zero. */
export function createCounter(): Counter {
  const runs: Record<string, number> = {};
  const toolCalls: Record<string, number> = {};
  const sums = { runMs: 0, modelSteps: 0, modelStepMs: 0, toolMs: 0 };
  const tokens = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  let cost: number | undefined;
  const count = (record: Record<string, number>, key: string): void => {
    record[key] = (record[key] ?? 0) + 1;
  };
  return {
    measured({ what, ms, ended }) {
      if (what === 'run') {
        count(runs, ended);
        sums.runMs += ms;
      } else if (what === 'reasoning') {
        sums.modelSteps += 1;
        sums.modelStepMs += ms;
      } else if (what === 'tool') {
        count(toolCalls, ended);
        sums.toolMs += ms;
      }
    },
    used({ inputTokens, outputTokens, cachedInputTokens = 0 }, added) {
      tokens.inputTokens += inputTokens;
      tokens.outputTokens += outputTokens;
      tokens.cachedInputTokens += cachedInputTokens;
      if (added !== undefined) cost = (cost ?? 0) + added;
    },
    counts: () => ({
      runs: { ...runs },
      toolCalls: { ...toolCalls },
      ...sums,
      ...tokens,
      ...(cost !== undefined && { cost: cost / BILLIONTHS }),
    }),
  };
}
