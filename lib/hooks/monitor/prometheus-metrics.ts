import { HooklineError } from '../../errors.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { boundedNames } from '../measures/bounded-names.ts';
import type { Measure } from '../measures/step-clock.ts';
import { BILLIONTHS } from '../tokens/prices.ts';

const PEER = 'prom-client';
/** Seconds: from a fast tool call to a long run. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Prometheus metrics in their own registry. */
export interface PrometheusMetrics {
  measured(agent: string, measure: Measure): void;
  used(agent: string, model: string, usage: Usage, cost: number | undefined): void;
  failed(agent: string, phase: string, source: string): void;
  running(agent: string, change: 1 | -1): void;
  /** In the text format. */
  text(): Promise<string>;
}

/** Creates the metrics with `prom-client`. Throws `OPTIONS_INVALID` without the package. */
export function createPrometheusMetrics(
  hook: string,
  { prefix, currency, maxLabelValues }: { prefix: string; currency: string; maxLabelValues: number },
): PrometheusMetrics {
  const { Registry, Counter, Gauge, Histogram } = load(hook);
  const registers = [new Registry()];
  const [agentOf, modelOf, toolOf] = [1, 2, 3].map(() => boundedNames(maxLabelValues)) as [Name, Name, Name];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const seconds = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name: `${prefix}${name}_duration_seconds`, help, labelNames, registers, buckets: BUCKETS });

  const runs = counter('runs_total', 'Ended runs.', ['agent', 'outcome']);
  const active = new Gauge({ name: `${prefix}runs_active`, help: 'Active runs.', labelNames: ['agent'], registers });
  const calls = counter('tool_calls_total', 'Ended tool calls.', ['agent', 'tool', 'outcome']);
  const errors = counter('errors_total', 'Error events.', ['agent', 'phase', 'source']);
  const tokens = counter('tokens_total', 'Tokens that models reported.', ['agent', 'model', 'kind']);
  const cost = counter('cost_total', 'Cost by the table of prices.', ['agent', 'model', 'currency']);
  const times = {
    run: seconds('run', 'Duration of runs.', ['agent']),
    reasoning: seconds('reasoning', 'Duration of model requests.', ['agent', 'model']),
    firstToken: seconds('first_token', 'Time to the first token.', ['agent', 'model']),
    tool: seconds('tool', 'Duration of tool calls.', ['agent', 'tool']),
  };

  return {
    measured(given, { what, name, ms, ended }) {
      const agent = agentOf(given);
      if (what === 'run') {
        runs.inc({ agent, outcome: ended });
        times.run.observe({ agent }, ms / 1_000);
      } else if (what === 'tool') {
        const tool = toolOf(name);
        calls.inc({ agent, tool, outcome: ended });
        times.tool.observe({ agent, tool }, ms / 1_000);
      } else times[what].observe({ agent, model: modelOf(name) }, ms / 1_000);
    },
    used(given, name, { inputTokens, outputTokens, cachedInputTokens = 0 }, spent) {
      const labels = { agent: agentOf(given), model: modelOf(name) };
      tokens.inc({ ...labels, kind: 'input' }, inputTokens);
      tokens.inc({ ...labels, kind: 'output' }, outputTokens);
      if (cachedInputTokens > 0) tokens.inc({ ...labels, kind: 'cached_input' }, cachedInputTokens);
      if (spent !== undefined) cost.inc({ ...labels, currency }, spent / BILLIONTHS);
    },
    failed: (agent, phase, source) => errors.inc({ agent: agentOf(agent), phase, source }),
    running: (agent, change) => active.inc({ agent: agentOf(agent) }, change),
    text: () => (registers[0] as InstanceType<typeof Registry>).metrics(),
  };
}

type Name = (name: string) => string;

function load(hook: string): typeof import('prom-client') {
  try {
    return require(PEER);
  } catch (cause) {
    const message = `The hook "${hook}" needs the package ${PEER} for Prometheus metrics. Run: npm install ${PEER}, or remove prometheus and file.`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
}
