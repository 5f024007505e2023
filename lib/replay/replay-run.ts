import { Subject } from 'rxjs';
import { createAgent } from '../agent/create-agent.ts';
import { memoryTranscript } from '../agent/transcript/memory-transcript.ts';
import { isChunk } from '../events/chunk-text.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { withoutUndefined } from '../events/values/without-undefined.ts';
import { createPipeline } from '../pipeline/create-pipeline.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import type { PipelineOptions } from '../pipeline/settings.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { recordedAnswers } from './recorded-answers.ts';
import { keyOf, recordedEffects } from './recorded-effects.ts';
import type { RecordedScript } from './recorded-script.ts';
import { createReplayClock } from './replay-clock.ts';
import { standingHooks } from './standing-hooks.ts';

export interface ReplayRunOptions {
  readonly hooks: readonly Hook[];
  readonly settings: PipelineOptions;
  /** Whether a hook must not run: its recorded effects are applied instead. */
  readonly isOutward: (hook: Hook) => boolean;
  /** All output comes at once (default: false). */
  readonly instant?: boolean;
}

export interface ReplayedRun {
  readonly reports: readonly TraceReport[];
  /** What the run asked for that the recording does not contain. The replay ends there. */
  readonly missing: string | undefined;
  /** Number of effects of outward hooks that could not be repeated. */
  readonly unknown: number;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** No text of a replay leaves the process unless its caller shows it. */
const TRACE = { values: (text: string) => text };

/** Runs the loop of a recorded run again. The model and the tools answer from the recording, in virtual time. */
export async function replayRun(
  script: RecordedScript,
  { hooks, settings, isOutward, instant = false }: ReplayRunOptions,
): Promise<ReplayedRun> {
  const { run, history, input, instructions, reports: recorded } = script;
  const clock = createReplayClock(recorded[0]?.event.time ?? 0);
  const effects = recordedEffects(recorded);
  const abort = new AbortController();
  const pending = new Set<Promise<unknown>>();
  let missing: string | undefined;

  const answers = recordedAnswers(script, instant ? undefined : clock.scheduler, (what) => {
    missing ??= what;
    clock.scheduler.schedule(() => abort.abort(`the recording does not contain ${what}`));
  });
  const standing = standingHooks(hooks, {
    effects,
    isOutward,
    answer: answers.answer,
    ran: ({ id }) => script.outputs.has(id),
    settling(promise) {
      pending.add(promise);
      const done = () => pending.delete(promise);
      promise.then(done, done);
    },
  });
  const pipeline = createPipeline(standing, {
    ...settings,
    ...{ scheduler: clock.scheduler, trace: instant || TRACE, log: silent, newId: () => run.runId },
  });
  const offered = new Set(pipeline.tools.map(({ name }) => name));
  const transcript = memoryTranscript();
  // A resumed run brings its conversation.
  if (!script.resumption) transcript.append(run.sessionId, history);
  const agent = createAgent({
    name: run.agent,
    model: answers.model,
    tools: answers.tools.filter(({ name }) => !offered.has(name)),
    pipeline,
    transcript,
    maxIterations: Math.min(script.maxIterations, Number.MAX_SAFE_INTEGER),
    parallel: script.parallel,
    modelOptions: script.modelOptions,
    ...(instructions !== undefined && { instructions }),
  });

  const reports: TraceReport[] = [];
  let done = false;
  const watching = pipeline.traces$.subscribe((report) => void reports.push(report));
  const steering$ = new Subject<Message>();
  const steer = steerAsRecorded(script, steering$);
  const control = { signal: abort.signal, steering$ };
  const { resumption } = script;
  const { sessionId, userId, metadata } = run;
  const running = (
    resumption
      ? agent.resume(resumption.snapshot, resumption.answers, control)
      : agent.run(input, withoutUndefined({ ...control, sessionId, userId, metadata }))
  ).subscribe({ next: steer, complete: end, error: end });
  cancelAsRecorded();
  const settling = () => (pending.size > 0 ? Promise.race(pending) : undefined);
  try {
    if (!(await clock.runUntil(() => done, settling))) {
      abort.abort('the recording ends here');
      await clock.runUntil(() => done, settling);
    }
  } finally {
    watching.unsubscribe();
    running.unsubscribe();
  }
  return { reports, missing, unknown: effects.unknown };

  function end(): void {
    done = true;
  }

  function cancelAsRecorded(): void {
    const end = recorded.at(-1)?.event;
    if (end?.type !== 'postCall' || end.outcome !== 'cancelled' || done) return;
    const at = (end.time ?? 0) - (recorded[0]?.event.time ?? 0);
    clock.scheduler.schedule(() => abort.abort(end.reason), at);
  }
}

/** Sends each message of a user after the event after which it came. */
function steerAsRecorded(
  { run, steering }: RecordedScript,
  steering$: Subject<Message>,
): (event: SettledEvent) => void {
  const waiting = [...steering];
  return (event) => {
    if (waiting.length === 0 || isChunk(event) || event.run.runId !== run.runId) return;
    const key = keyOf(event);
    while (waiting[0]?.after === key) for (const message of waiting.shift()?.messages ?? []) steering$.next(message);
  };
}
