import type { Context, Link, Span, SpanContext } from '@opentelemetry/api';
import { z } from 'zod';
import type { RunInfo } from '../events/parts/run-info.ts';
import { processWide } from '../events/values/process-wide.ts';
import { defineState, type StateCell } from '../pipeline/define/state.ts';
import { GEN_AI } from './semconv.ts';
import type { StepSpan } from './step-span.ts';
import type { TelemetryKit } from './telemetry-kit.ts';

export interface RunSpans {
  readonly kit: TelemetryKit;
  readonly run: RunInfo;
  /** Absent if the run reasons and acts without a preCall. */
  readonly span: Span | undefined;
  /** The context of the run, with its span. */
  readonly ctx: Context;
  /** The context of the caller of the run. */
  readonly host: Context;
  readonly began: number;
  /** False if the run is sampled out and there are no metrics: its steps only keep the context. */
  readonly measured: boolean;
  readonly cell: StateCell<SavedSpan> | undefined;
  model: StepSpan | undefined;
  readonly tools: Map<string, StepSpan>;
  readonly calls: { model: number; tool: number };
  /** The finish reason of the last answer. */
  finishReason: string | undefined;
  /** The error that may have ended the run. */
  failure: unknown;
  /** The hooks whose changes of the current streams have spans. */
  readonly shown: Set<string>;
}

const savedSpan = z.strictObject({
  /** The span of the run that is suspended. */
  span: z.strictObject({ traceId: z.string(), spanId: z.string(), traceFlags: z.int() }).nullable(),
  /** When each pending call was suspended, in milliseconds. */
  pending: z.record(z.string(), z.number()),
});

/** Saved in snapshots, so that a resumed run is linked in another process too. */
export type SavedSpan = z.infer<typeof savedSpan>;

/** The state of a run for its next one. */
export const savedSpanKey = defineState<SavedSpan>({
  name: 'otel',
  schema: savedSpan,
  initial: { span: null, pending: {} },
});

/** Shared by all hooks of the process: a run has the spans of one hook only, and its sub-agents find it. */
const registry = processWide('otel', () => ({
  living: new Map<string, RunSpans>(),
  known: new WeakMap<RunInfo, RunSpans>(),
}));

/** Returns the spans of the run, unless another hook has them. */
export function spansOf(kit: TelemetryKit, run: RunInfo): RunSpans | undefined {
  const known = registry.known.get(run);
  return known?.kit === kit ? known : undefined;
}

/** Returns the spans of the run, and creates them for a run without a preCall. */
export function spansFor(kit: TelemetryKit, run: RunInfo): RunSpans | undefined {
  const known = registry.known.get(run);
  if (known) return known.kit === kit ? known : undefined;
  const host = hostOf(kit, run);
  return keepSpans({ kit, run, host, ctx: mark(host, run, host), span: undefined, cell: undefined });
}

/** Returns whether a hook has the spans of the run. */
export function isTraced(run: RunInfo): boolean {
  return registry.known.has(run);
}

/** Counts a call of a run while a person is asked about it. Returns the function that ends it. */
export function countAsked(run: RunInfo, tool: string): () => void {
  const metrics = registry.known.get(run)?.kit.metrics;
  metrics?.pending(1, { [GEN_AI.toolName]: tool });
  return () => metrics?.pending(-1, { [GEN_AI.toolName]: tool });
}

/** Registers the spans of a run. */
export function keepSpans(given: Pick<RunSpans, 'kit' | 'run' | 'span' | 'ctx' | 'host' | 'cell'>): RunSpans {
  const spans: RunSpans = {
    ...given,
    began: performance.now(),
    measured: given.span?.isRecording() !== false || given.kit.metrics !== undefined,
    model: undefined,
    tools: new Map(),
    calls: { model: 0, tool: 0 },
    finishReason: undefined,
    failure: undefined,
    shown: new Set(),
  };
  registry.known.set(given.run, spans);
  if (given.span) registry.living.set(given.run.runId, spans);
  return spans;
}

/** Removes the spans of an ended run. */
export function forgetSpans({ run }: RunSpans): void {
  registry.living.delete(run.runId);
}

/** Marks the contexts of a run: code that it calls may start other runs. */
interface Mark {
  readonly runId: string;
  /** The context of the run's caller. Absent while a step of the run is active. */
  readonly host: Context | undefined;
}

const MARK = Symbol.for('hookline.otel.run');

/** Marks a context as that of a run or, without `host`, of one of its steps. */
export function mark(ctx: Context, run: RunInfo, host?: Context): Context {
  return ctx.setValue(MARK, { runId: run.runId, host } satisfies Mark);
}

/**
 * Returns the parent of the spans of a run. The active context is that of the last emission, which may belong to another run, so it counts only
 * for the caller of the run.
 */
export function hostOf({ api, settings }: TelemetryKit, run: RunInfo): Context {
  const active = api.context.active();
  const marked = active.getValue(MARK) as Mark | undefined;
  const parent = run.parentRunId === undefined ? undefined : registry.living.get(run.parentRunId);
  if (parent) {
    if (marked?.runId === parent.run.runId && !marked.host) return active;
    const [step, ...others] = parent.tools.values();
    return step && others.length === 0 ? step.ctx : parent.ctx;
  }
  const given = settings.parent?.(run);
  if (given || !marked) return given ?? active;
  if (!registry.living.has(marked.runId)) return api.ROOT_CONTEXT;
  return marked.host ?? active;
}

/** Returns the link to the suspended run. */
export function linkTo({ span }: SavedSpan): Link[] {
  return span ? [{ context: span satisfies SpanContext, attributes: { 'hookline.link': 'resumed_from' } }] : [];
}
