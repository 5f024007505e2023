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

/** Within all usual wrappers: every attempt is counted, with the model that is asked. */
const INNERMOST = 950;

/** The hook, and what it has counted. */
export interface Monitor {
  readonly hook: Hook;
  /** Of all runs, up to now. */
  totals(): MonitorCounts;
  /** The metrics in the text format of Prometheus. `OPTIONS_INVALID` without `prometheus` or `file`. */
  prometheus(): Promise<string>;
}

/**
 * Counts runs, reasonings, tool calls, tokens and money, and how long they took: the note `monitor` at the end of each run, `totals()` for all,
 * and metrics of Prometheus.
 *
 * Calls at once, sub-agents and runs at once: each run has counts of its own. Retry: the tokens of every attempt count. Suspend and resume: a
 * resumed run is counted as another one. If it fails, the run goes on, and the log says so.
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

  /** What was used costs in billionths, if there is a price for the model. */
  function costIn(usage: Usage, model: string | undefined, { log }: HookContext): number | undefined {
    if (!priceOf) return undefined;
    try {
      return costOf(usage, priceOf(model));
    } catch (thrown) {
      if (!unpriced.has(model ?? '')) log.warn({ model }, `${messageOf(thrown)} Until then it counts as nothing.`);
      unpriced.add(model ?? '');
      return undefined;
    }
  }

  function used(usage: Usage, model: string | undefined, context: HookContext): void {
    const cost = costIn(usage, model, context);
    for (const counter of countersOf(context.run)) counter.used(usage, cost);
    metrics?.used(context.run.agent, model ?? '', usage, cost);
  }

  /** Writes the file when it has been written the last time; runs that end until then have one write together. */
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
      description: 'Counts runs, reasonings, tool calls, tokens and money.',
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
          return modify(event, {}, { note: { code: 'monitor', message: told(data, currency), data } });
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
      const message = `The hook "${name}" keeps no metrics of Prometheus. Make it with { prometheus: true }.`;
      return Promise.reject(new HooklineError('OPTIONS_INVALID', message));
    },
  };
}

function told(counts: Omit<MonitorCounts, 'runs'>, currency: string): string {
  const { runMs, reasonings, toolCalls, inputTokens, outputTokens, cost } = counts;
  const calls = Object.values(toolCalls).reduce((sum, count) => sum + count, 0);
  const money = cost === undefined ? '' : `, ${Number(cost.toPrecision(6))} ${currency}`;
  return `${Math.round(runMs)} ms, reasonings: ${reasonings}, tool calls: ${calls}, tokens: ${inputTokens + outputTokens}${money}`;
}

/** The catalogue entry of `monitor`. */
export const monitorEntry = defineCatalogueEntry({
  name: 'monitor',
  description: 'Counts runs, reasonings, tool calls, tokens and money; metrics of Prometheus in a file.',
  events: eventTypes,
  approves: false,
  optionsSchema: monitorOptionsSchema,
  example: { prices: { '*': { input: 1, output: 4 } } },
  notices: ({ prometheus, file }) =>
    prometheus && file === undefined
      ? [
          {
            path: ['prometheus'],
            message: 'has no effect here without file: the text is read in code, by prometheus()',
          },
        ]
      : [],
  weakens: weakensUnless({
    prices: 'free',
    currency: 'free',
    prometheus: switchesOff,
    prefix: 'free',
    maxLabelValues: 'free',
  }),
  create: (options) => monitor(options).hook,
});
