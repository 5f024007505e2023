import { z } from 'zod';
import { createDurations, type Durations } from '../../hooks/timing/durations.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';

/** Statistics of hooks since the start of the server. */
export const hookStatisticsSchema = z
  .strictObject({
    since: z.iso.datetime(),
    hooks: z.array(
      z.strictObject({
        name: z.string(),
        ran: z.int().describe('How often a handler, operator, wrapper or approver of the hook received an event.'),
        changed: z.int(),
        decided: z.int(),
        failed: z.int(),
        p50Ms: z
          .number()
          .describe('Duration of the last thousand calls, in milliseconds, without wrappers and operators.'),
        p95Ms: z.number(),
      }),
    ),
  })
  .meta({ id: 'HookStatistics' });

export type HookStatistics = z.infer<typeof hookStatisticsSchema>;

/** Counts the effects of hooks. */
export interface HookCounter {
  add(steps: readonly TraceStep[]): void;
  /** Returns the statistics, sorted by name. */
  statistics(): HookStatistics;
}

const LAST = 1_000;
/** Maximum number of counted hooks. Beyond it, the hook that ran longest ago is removed. */
const MOST_HOOKS = 1_000;

export function createHookCounter(since = new Date()): HookCounter {
  const counts = new Map<string, { ran: number; changed: number; decided: number; failed: number; took: Durations }>();

  return {
    add(steps) {
      for (const { hook, stage, effect, paths, ms } of steps) {
        // Changes of the text of a block are already counted with its chunks.
        if (effect === 'skipped' || paths?.[0]?.startsWith('chunks.')) continue;
        const count = counts.get(hook) ?? { ran: 0, changed: 0, decided: 0, failed: 0, took: createDurations(LAST) };
        counts.delete(hook);
        counts.set(hook, count);
        count.ran += 1;
        if (effect !== 'passed') count[effect] += 1;
        // The duration of wrappers and stream operators includes their step or stream.
        if (stage === 'on' || stage === 'approve') count.took.add(ms);
        const [longest] = counts.keys();
        if (counts.size > MOST_HOOKS && longest !== undefined) counts.delete(longest);
      }
    },
    statistics: () => ({
      since: since.toISOString(),
      hooks: [...counts]
        .map(([name, { took, ...counted }]) => {
          const { p50, p95 } = took.summary();
          return { name, ...counted, p50Ms: p50, p95Ms: p95 };
        })
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }),
  };
}
