import { eventTypes } from '../../events/decisions/event-rules.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { boundedNames } from '../measures/bounded-names.ts';
import { createStepClock } from '../measures/step-clock.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { createDurations, type DurationSummary, type Durations } from './durations.ts';
import { type TimingOptions, timingOptionsSchema } from './timing-options.ts';

/** The measured kinds. */
type Kind = 'run' | 'reasoning' | 'firstToken' | 'tool' | 'hook';

/** Durations by kind and name: runs by agent, model steps and first tokens by model, tools and hooks by their own name. */
export type TimingSummary = { readonly [K in Kind]?: Readonly<Record<string, DurationSummary>> };

/** The hook and its measurements. */
export interface Timing {
  readonly hook: Hook;
  /** The durations of all runs so far. */
  summary(): TimingSummary;
}

type Table = Map<Kind, Map<string, Durations>>;

/**
 * Measures runs, model steps, first tokens, tools and hooks with the clock of the pipeline: the note `timing` at the end of each run,
 * `summary()` of all runs, and warnings about slow steps in the log.
 *
 * If the hook fails, the run continues. This is logged.
 *
 * - Parallel calls: Each call is measured on its own.
 * - Sub-agents: Each run of a sub-agent has its own figures.
 * - Retry: An answer is measured from the request to the end of the last attempt.
 * - Suspend and resume: A resumed run is measured as another run.
 * - Cost: A few numbers for each step. With `hooks`, it reads the trace of each event.
 */
export function timing(options: TimingOptions = {}): Timing {
  const parsed = parseHookOptions('timing', timingOptionsSchema, options);
  const { name, slowMs, samples, maxNames, hooks = slowMs.hook !== undefined } = parsed;
  const clock = createStepClock();
  const all: Table = new Map();
  const ofRuns = new WeakMap<RunInfo, Table>();
  const bounded = new Map<Kind, (name: string) => string>();

  function add(context: HookContext, run: RunInfo, kind: Kind, given: string, ms: number): void {
    const names = bounded.get(kind) ?? boundedNames(maxNames);
    bounded.set(kind, names);
    const named = names(given);
    const own = ofRuns.get(run) ?? new Map();
    ofRuns.set(run, own);
    for (const table of [all, own]) durationsIn(table, kind, named, samples).add(ms);
    const limit = slowMs[kind];
    if (limit !== undefined && ms >= limit)
      context.log.warn({ kind, name: given, ms, limit }, `slow: ${kind} ${given} took ${ms} ms`);
  }

  return {
    hook: defineHook({
      name,
      description: 'Measures the duration of runs, model steps, tools and hooks.',
      priority: HookPriority.METRICS,
      onFailure: 'skip',
      traced: hooks,
      observe(event, context, steps = []) {
        const { run } = event;
        // The time of wrappers and operators includes the step or stream.
        for (const { hook, stage, effect, ms } of steps)
          if (stage !== 'around' && stage !== 'through' && effect !== 'skipped') add(context, run, 'hook', hook, ms);
        for (const { what, name: named, ms } of clock.take(event)) add(context, run, what, named, ms);
      },
      on: {
        postCall(event, { scheduler }) {
          const now = scheduler.now();
          const runMs = now - (clock.began(event.run) ?? now);
          const data = { runMs, ...summaryOf(ofRuns.get(event.run) ?? new Map()) };
          return modify(event, {}, { note: { code: 'timing', message: describeTiming(runMs, data), data } });
        },
      },
    }),
    summary: () => summaryOf(all),
  };
}

function durationsIn(table: Table, kind: Kind, name: string, samples: number): Durations {
  const names = table.get(kind) ?? new Map<string, Durations>();
  table.set(kind, names);
  const durations = names.get(name) ?? createDurations(samples);
  names.set(name, durations);
  return durations;
}

function summaryOf(table: Table): TimingSummary {
  const kinds = [...table].map(([kind, names]) => [
    kind,
    Object.fromEntries([...names].map(([name, durations]) => [name, durations.summary()])),
  ]);
  return Object.fromEntries(kinds);
}

function describeTiming(runMs: number, summary: TimingSummary): string {
  const sums = (['reasoning', 'tool', 'hook'] as const).flatMap((kind) => {
    const ms = Object.values(summary[kind] ?? {}).reduce((sum, { totalMs }) => sum + totalMs, 0);
    return summary[kind] ? [`${kind} ${Math.round(ms)} ms`] : [];
  });
  return [`run ${Math.round(runMs)} ms`, ...sums].join(', ');
}

/** @internal The catalogue entry of `timing`. */
export const timingEntry = defineCatalogueEntry({
  name: 'timing',
  description: 'Measures the duration of runs, model steps, first tokens, tools and hooks, and warns about slow ones.',
  events: eventTypes,
  approves: false,
  optionsSchema: timingOptionsSchema,
  example: { slowMs: { reasoning: 60_000, firstToken: 10_000, tool: 30_000 } },
  weakens: weakensUnless({ hooks: switchesOff }, ['samples', 'maxNames']),
  create: (options) => timing(options).hook,
});
