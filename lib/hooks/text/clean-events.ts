import { isChunk, withText } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { redactorIn } from '../scanning/run-secrets.ts';
import { scanJson } from '../scanning/scan-json.ts';
import { createCleanChunks } from './clean-chunks.ts';

/** Fields that link events, or that only the engine writes. They contain no user text. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['type', 'seq', 'time', 'iteration', 'attempt', 'purpose', 'phase', 'source', 'outcome', 'permission'],
  ...['usage', 'finishReason', 'durationMs', 'part', 'block', 'toolCallId', 'last'],
  // In chunks, whose text is already redacted.
  ...['delta', 'content'],
]);

/** Redacts events and steps for display outside. */
export interface CleanEvents {
  event(event: SettledEvent): SettledEvent;
  run(run: RunInfo): RunInfo;
  steps(steps: readonly TraceStep[], run: RunInfo): readonly TraceStep[];
  /** Releases cancelled blocks of an ended run, for callers that do not pass postCall. */
  endRun(runId: string): void;
}

/** Redacts events, including secrets that are split between chunks. Without a redactor, all events are unchanged. */
export function createCleanEvents(redactor: Redactor | undefined): CleanEvents {
  if (!redactor) return { event: (event) => event, run: (run) => run, steps: (steps) => steps, endRun() {} };
  const chunks = createCleanChunks(redactor);
  /** A call is in each of its chunks, and a message in many requests. Caches are per run, because another run may know more secrets. */
  const runs = new WeakMap<RunInfo, WeakMap<object, unknown>>();

  function clean<T>(value: T, run: RunInfo): T {
    const known = runs.get(run) ?? new WeakMap<object, unknown>();
    runs.set(run, known);
    const found = typeof value === 'object' && value !== null ? known.get(value) : undefined;
    if (found !== undefined) return found as T;
    const made = Array.isArray(value)
      ? value.map((item) => clean(item, run))
      : scanJson(redactorIn(run, redactor as Redactor), value as JsonValue).value;
    if (typeof value === 'object' && value !== null) known.set(value, made);
    return made as T;
  }

  // Ids link the events.
  const cleanRun = (run: RunInfo): RunInfo => (run.metadata ? { ...run, metadata: clean(run.metadata, run) } : run);

  function cleanGate(event: SettledEvent): SettledEvent {
    if (event.type === 'postCall') chunks.endRun(event.run.runId);
    const fields = Object.entries(event).map(([name, value]) => {
      if (name === 'run') return [name, cleanRun(event.run)];
      return [name, PLAIN.has(name) ? value : clean(value, event.run)];
    });
    return Object.fromEntries(fields);
  }

  return {
    event: (event) => (isChunk(event) ? cleanGate(withText(event, chunks.textOf(event))) : cleanGate(event)),
    run: cleanRun,
    steps: clean,
    endRun: chunks.endRun,
  };
}
