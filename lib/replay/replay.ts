import type { RunInfo } from '../events/parts/run-info.ts';
import { createCleanEvents } from '../hooks/text/clean-events.ts';
import { usualRedactor } from '../hooks/usual-redactor.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { compareHooks, type HookDifference } from './compare-hooks.ts';
import { compareRuns, type EventDifference } from './compare-runs.ts';
import { type ReplayableRecording, readReplayable } from './read-run.ts';
import { replayRun } from './replay-run.ts';

/** Options of a replay. */
export interface ReplayOptions {
  /**
   * Returns whether a hook must not run, because it starts programs, or code of which nothing is known. What it did in the recording is applied
   * instead (default: none).
   *
   * @example isOutward: ({ name }) => name === 'reviewer-process'
   */
  readonly isOutward?: (hook: Hook) => boolean;
}

/** A replayed run beside its recording. */
export interface RunReplay {
  readonly run: RunInfo;
  readonly recorded: readonly TraceReport[];
  readonly replayed: readonly TraceReport[];
  /** Where the events differ, in order. At the first one, the runs part. */
  readonly differences: readonly EventDifference[];
  /** What the run asked for that the recording does not contain. The replay ends there. */
  readonly missing: string | undefined;
  /** Number of effects of hooks outside that could not be repeated. */
  readonly unknown: number;
  /** False if the recording does not contain all that the run received. Then differences may have that cause. */
  readonly exact: boolean;
}

/** The replay of a recording. */
export interface Replay {
  readonly file: string;
  /** The run of the recording, then its sub-agents. Each is replayed for itself: a sub-agent's result is a recorded one. */
  readonly runs: readonly RunReplay[];
  /** The version of the package that made the recording, if it is known. */
  readonly recordedBy: string | undefined;
  /** The hooks that differ from those of the recording, if it lists them. */
  readonly hooks: readonly HookDifference[];
  /** Number of events that are missing in the recording. */
  readonly lost: number;
  /** True if the last line of the recording is truncated. */
  readonly cut: boolean;
}

/**
 * Runs the loop of a recording again, with the hooks of a pipeline. The model and the tools answer from the recording, in virtual time: nothing is
 * sent, and nobody is asked. Hooks that reach outside do what they did then. `recording` is the path of a file that the hook `recorder` wrote, or
 * of a log of a run store. Rejects with `INPUT_INVALID` if it cannot be read.
 */
export async function replay(
  recording: string | ReplayableRecording,
  pipeline: Pipeline,
  { isOutward = () => false }: ReplayOptions = {},
): Promise<Replay> {
  const read = typeof recording === 'string' ? readReplayable(recording) : recording;
  const { file, head, lost, cut, scripts, raw } = read;
  const runs: RunReplay[] = [];
  for (const script of scripts) {
    const { run, reports: recorded, exact } = script;
    const made = await replayRun(script, { hooks: pipeline.hooks, settings: pipeline.options, isOutward });
    const replayed = raw && head.redacted ? redacted(made.reports) : made.reports;
    const { missing, unknown } = made;
    const differences = compareRuns(recorded, replayed);
    runs.push({ run, recorded, replayed, differences, missing, unknown, exact });
  }
  return { file, runs, recordedBy: head.hookline, hooks: compareHooks(head.hooks, pipeline.hooks), lost, cut };
}

/** Raw input contains secrets. The recording does not, and the replay must not. */
function redacted(reports: readonly TraceReport[]): readonly TraceReport[] {
  const clean = createCleanEvents(usualRedactor());
  return reports.map(({ event, steps }) => ({ event: clean.event(event), steps: clean.steps(steps, event.run) }));
}
