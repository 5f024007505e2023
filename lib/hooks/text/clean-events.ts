import { isChunk, withText } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { scanJson } from '../scanning/scan-json.ts';
import { createCleanChunks } from './clean-chunks.ts';

/** What ties events together, and what only the engine writes: nothing in there is somebody's text. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['type', 'seq', 'time', 'iteration', 'attempt', 'purpose', 'phase', 'source', 'outcome', 'permission'],
  ...['usage', 'finishReason', 'durationMs', 'part', 'block', 'toolCallId', 'last'],
  // Of chunks, whose text is clean already.
  ...['delta', 'content'],
]);

/** Events and steps as may be shown outside. */
export interface CleanEvents {
  event(event: SettledEvent): SettledEvent;
  run(run: RunInfo): RunInfo;
  steps(steps: readonly TraceStep[]): readonly TraceStep[];
  /** A run has ended, for whom postCall does not come through here; blocks that were cut are let go of. */
  endRun(runId: string): void;
}

/** Takes secrets out of events, of chunks also where they are cut within one. Without a redactor all stays. */
export function createCleanEvents(redactor: Redactor | undefined): CleanEvents {
  if (!redactor) return { event: (event) => event, run: (run) => run, steps: (steps) => steps, endRun() {} };
  const chunks = createCleanChunks(redactor);
  /** A call comes with each of its chunks, a message with many a question. */
  const known = new WeakMap<object, unknown>();

  function clean<T>(value: T): T {
    const found = typeof value === 'object' && value !== null ? known.get(value) : undefined;
    if (found !== undefined) return found as T;
    const made = Array.isArray(value) ? value.map(clean) : scanJson(redactor as Redactor, value as JsonValue).value;
    if (typeof value === 'object' && value !== null) known.set(value, made);
    return made as T;
  }

  // Ids tie the events together.
  const cleanRun = (run: RunInfo): RunInfo => (run.metadata ? { ...run, metadata: clean(run.metadata) } : run);

  function cleanGate(event: SettledEvent): SettledEvent {
    if (event.type === 'postCall') chunks.endRun(event.run.runId);
    const members = Object.entries(event).map(([name, value]) => {
      if (name === 'run') return [name, cleanRun(event.run)];
      return [name, PLAIN.has(name) ? value : clean(value)];
    });
    return Object.fromEntries(members);
  }

  return {
    event: (event) => (isChunk(event) ? cleanGate(withText(event, chunks.textOf(event))) : cleanGate(event)),
    run: cleanRun,
    steps: (steps) => clean(steps),
    endRun: chunks.endRun,
  };
}
