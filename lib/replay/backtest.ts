import { messageOf } from '../errors/describe-thrown.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { markerHead } from '../redaction/show/marker.ts';
import { readReplayable } from './read-run.ts';
import type { RecordedScript } from './recorded-script.ts';
import type { ReplayOptions } from './replay.ts';
import { replayRun } from './replay-run.ts';
import { type EventVerdict, type VerdictAction, verdictsOf } from './verdicts.ts';

/** A change of verdicts, with the number of events that have it. */
export interface VerdictChange {
  readonly what: EventVerdict['what'];
  readonly before: VerdictAction;
  readonly after: VerdictAction;
  /** The hook that decides now, or decided then. */
  readonly hook?: string;
  readonly tool?: string;
  /** The verdict is the same, and the value differs: another input, or a text redacted otherwise. */
  readonly rewritten: boolean;
  /** Whether something passes now that was denied or asked about, or is asked about that was denied. */
  readonly looser: boolean;
  readonly count: number;
  /** The first events with this change. */
  readonly examples: readonly ChangeExample[];
}

/** An event whose verdict changes. */
export interface ChangeExample {
  readonly file: string;
  readonly runId: string;
  readonly seq: number;
  readonly reason?: string;
  readonly before: string;
  readonly after: string;
}

/** The result of a backtest. */
export interface Backtest {
  readonly recordings: number;
  readonly runs: number;
  readonly events: number;
  /** Most frequent first. */
  readonly changes: readonly VerdictChange[];
  /** Verdicts that nobody can tell: the value is redacted in the recording, or the replay does not reach a call that was denied or asked about. */
  readonly unknown: number;
  /** Effects of hooks outside that could not be repeated. */
  readonly notRepeated: number;
  /** Runs that ask for something that their recording does not contain, such as the result of a call that was denied. */
  readonly ended: number;
  /** Recordings that cannot be read. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

/** Options of a backtest. */
export interface BacktestOptions extends ReplayOptions {
  /** Compares with these hooks instead of what the recordings tell. */
  readonly against?: Pipeline;
  /** Called after each recording. */
  readonly onProgress?: (done: number) => void;
}

/** Maximum examples of a change. */
const EXAMPLES = 3;
/** How strict a verdict is. */
const STRICTNESS: Readonly<Partial<Record<VerdictAction, number>>> = { ask: 1, deny: 2, abort: 2 };
const strictness = (action: VerdictAction): number => STRICTNESS[action] ?? 0;

type Counted = VerdictChange & { count: number; readonly examples: ChangeExample[] };

/**
 * Replays recordings with other hooks, and counts the verdicts that change. `files` are read one after the other, so memory does not grow with their
 * number. A recording that cannot be read is reported.
 */
export async function backtest(
  files: Iterable<string>,
  pipeline: Pipeline,
  { against, isOutward = () => false, onProgress }: BacktestOptions = {},
): Promise<Backtest> {
  const changes = new Map<string, Counted>();
  const unreadable: { file: string; reason: string }[] = [];
  const total = { recordings: 0, runs: 0, events: 0, unknown: 0, notRepeated: 0, ended: 0 };

  for (const file of files) {
    try {
      const { scripts, raw } = readReplayable(file);
      total.recordings += 1;
      for (const script of scripts) await tryRun(file, script, raw);
    } catch (thrown) {
      unreadable.push({ file, reason: messageOf(thrown) });
    }
    onProgress?.(total.recordings + unreadable.length);
  }
  return { ...total, unreadable, changes: [...changes.values()].sort((a, b) => b.count - a.count) };

  async function tryRun(file: string, script: RecordedScript, raw: boolean): Promise<void> {
    total.runs += 1;
    total.events += script.reports.length;
    const now = await replayWith(script, pipeline);
    const then = against ? (await replayWith(script, against)).reports : script.reports;
    total.notRepeated += now.unknown;
    if (now.missing !== undefined) total.ended += 1;
    const after = verdictsOf(now.reports);
    for (const [key, before] of verdictsOf(then)) {
      const verdict = after.get(key);
      if (!verdict) {
        if (strictness(before.action) > 0 && !isAborted(now.reports)) total.unknown += 1;
        continue;
      }
      if (!raw && before.value.includes(markerHead)) total.unknown += 1;
      count(file, script, before, verdict);
    }
  }

  function replayWith(script: RecordedScript, { hooks, options: settings }: Pipeline) {
    return replayRun(script, { hooks, settings, isOutward, instant: true });
  }

  function count(file: string, { run }: RecordedScript, before: EventVerdict, after: EventVerdict): void {
    const rewritten = before.action === after.action && before.value !== after.value;
    if (before.action === after.action && !rewritten) return;
    const hook = after.by ?? before.by;
    const key = JSON.stringify([before.what, before.action, after.action, hook, before.tool, rewritten]);
    const known = changes.get(key) ?? {
      ...{ what: before.what, before: before.action, after: after.action, rewritten },
      ...(hook !== undefined && { hook }),
      ...(before.tool !== undefined && { tool: before.tool }),
      looser: strictness(after.action) < strictness(before.action),
      ...{ count: 0, examples: [] },
    };
    known.count += 1;
    changes.set(key, known);
    if (known.examples.length >= EXAMPLES) return;
    const reason = after.reason ?? before.reason;
    known.examples.push({
      ...{ file, runId: run.runId, seq: before.seq, before: before.value, after: after.value },
      ...(reason !== undefined && { reason }),
    });
  }
}

/** Whether the hooks end a run for good: calls that follow do not run. A suspended run continues once its calls are approved. */
function isAborted(reports: readonly TraceReport[]): boolean {
  const end = reports.at(-1)?.event;
  return end?.type === 'postCall' && end.outcome === 'aborted';
}

/** Whether a backtest must fail because hooks let more pass, or nobody can tell. */
export function isLooser({ changes, unknown, unreadable }: Backtest): boolean {
  return unknown > 0 || unreadable.length > 0 || changes.some(({ looser }) => looser);
}
