import { dirname } from 'node:path';
import { tap } from 'rxjs';
import writeFileAtomic from 'write-file-atomic';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { createStepClock } from '../measures/step-clock.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { costOf, createPrices } from '../tokens/prices.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { type Counter, createCounter, type MonitorCounts } from './counts.ts';
import { type MonitorOptions, monitorOptionsSchema } from './monitor-options.ts';
import { createPrometheusMetrics } from './prometheus-metrics.ts';

/** Inside all usual wrappers: every attempt is counted with its model. */
const INNERMOST = 950;

/** The hook and its counts. */
export interface Monitor {
  readonly hook: Hook;
  /** The counts of all runs so far. */
  totals(): MonitorCounts;
  /** Returns the metrics in the Prometheus text format. Throws `OPTIONS_INVALID` without `prometheus` or `file`. */
  prometheus(): Promise<string>;
}

/**
 * Counts runs, model steps, tool calls, tokens and money, with durations: the note `monitor` at the end of each run, `totals()` of all
 * runs, and Prometheus metrics.
 *
 * If the hook fails, the run continues. This is logged.
 *
 * - Parallel calls: Each call is counted.
 * - Sub-agents: Each run of a sub-agent has its own figures.
 * - Retry: The tokens of every attempt count.
 * - Suspend and resume: A resumed run counts as another run.
 * - Cost: A few counters for each event. With `file`, one write after each run.
 */
export function monitor(options: MonitorOptions = {}): Monitor {
  const { name, prices, currency, prometheus, file, ...labels } = parseHookOptions(
    'monitor',
    monitorOptionsSchema,
    options,
  );
  const metrics = prometheus || file !== undefined ? createPrometheusMetrics(name, { currency, ...labels }) : undefined;
  const priceOf = Object.keys(prices).length > 0 ? createPrices(name, prices) : undefined;
  const clock = createStepClock();
  const all = createCounter();
  const ofRuns = new WeakMap<RunInfo, Counter>();
  const unpriced = new Set<string>();
  let writing = Promise.resolve();
  let waits = false;

  function countersOf(run: RunInfo): readonly [Counter, Counter] {
    const own = ofRuns.get(run) ?? createCounter();
    ofRuns.set(run, own);
    return [all, own];
  }

  /** Returns the cost in billionths, if the model has a price. */
  function costIn(usage: Usage, model: string | undefined, context: HookContext): number | undefined {
    if (!priceOf) return undefined;
    try {
      return costOf(usage, priceOf(model));
    } catch (thrown) {
      if (!unpriced.has(model ?? '')) context.log.warn({ model }, `${messageOf(thrown)} Until then, its cost is 0.`);
      unpriced.add(model ?? '');
      return undefined;
    }
  }

  function used(usage: Usage, model: string | undefined, context: HookContext): void {
    const cost = costIn(usage, model, context);
    for (const counter of countersOf(context.run)) counter.used(usage, cost);
    metrics?.used(context.run.agent, model ?? '', usage, cost);
  }

  /** Writes the file after the previous write. Runs that end until then share one write. */
  function write(path: string): Promise<void> {
    if (!waits) {
      waits = true;
      writing = writing
        .catch(() => {})
        .then(async () => {
          waits = false;
          makeFolder(dirname(path));
          await writeFileAtomic(path, (await metrics?.text()) ?? '');
        });
    }
    return writing;
  }

  return {
    hook: defineHook({
      name,
      description: 'Counts runs, model steps, tool calls, tokens and cost.',
      priority: INNERMOST,
      onFailure: 'skip',
      around: {
        reasoning: (event, next, context) =>
          next().pipe(
            tap((chunk) => {
              if (chunk.type === 'finish' && chunk.usage) used(chunk.usage, event.model, context);
            }),
          ),
      },
      on: {
        postCall(event, { scheduler }) {
          const now = scheduler.now();
          const { runs: _, ...counts } = countersOf(event.run)[1].counts();
          const data = { ...counts, runMs: now - (clock.began(event.run) ?? now) };
          return modify(event, {}, { note: { code: 'monitor', message: describeCounts(data, currency), data } });
        },
      },
      observe(event) {
        const { agent } = event.run;
        if (event.type === 'preCall') metrics?.running(agent, 1);
        if (event.type === 'error') metrics?.failed(agent, event.phase, event.source);
        for (const measure of clock.take(event)) {
          for (const counter of countersOf(event.run)) counter.measured(measure);
          metrics?.measured(agent, measure);
        }
        if (event.type !== 'postCall') return undefined;
        metrics?.running(agent, -1);
        return file === undefined ? undefined : write(file);
      },
    }),
    totals: () => all.counts(),
    prometheus() {
      if (metrics) return metrics.text();
      const message = `The hook "${name}" collects no Prometheus metrics. Create it with { prometheus: true }.`;
      return Promise.reject(new HooklineError('OPTIONS_INVALID', message));
    },
  };
}

function describeCounts(counts: Omit<MonitorCounts, 'runs'>, currency: string): string {
  const { runMs, modelSteps, toolCalls, inputTokens, outputTokens, cost } = counts;
  const calls = Object.values(toolCalls).reduce((sum, count) => sum + count, 0);
  const money = cost === undefined ? '' : `, ${Number(cost.toPrecision(6))} ${currency}`;
  return `${Math.round(runMs)} ms, model steps: ${modelSteps}, tool calls: ${calls}, tokens: ${inputTokens + outputTokens}${money}`;
}

/** @internal The catalogue entry of `monitor`. */
export const monitorEntry = defineCatalogueEntry({
  name: 'monitor',
  description: 'Counts runs, model steps, tool calls, tokens and cost; writes Prometheus metrics to a file.',
  events: eventTypes,
  approves: false,
  optionsSchema: monitorOptionsSchema,
  example: { prices: { '*': { input: 1, output: 4 } } },
  notices: ({ prometheus, file }) =>
    prometheus && file === undefined
      ? [
          {
            path: ['prometheus'],
            message: 'has no effect without file, because only code can read the metrics with prometheus()',
          },
        ]
      : [],
  weakens: weakensUnless({ prometheus: switchesOff }, ['prices', 'currency', 'prefix', 'maxLabelValues']),
  create: (options) => monitor(options).hook,
});
