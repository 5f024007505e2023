import { defer, Subject, Subscription } from 'rxjs';
import { withSessionName } from '../../chat/own-session.ts';
import { withCleanPrompts } from '../../events/clean-prompts.ts';
import type { EventOf, SettledEvent } from '../../events/hook-event.ts';
import type { ErrorInfo } from '../../events/parts/error-info.ts';
import { withoutApprovals } from '../../events/without-approvals.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { stepsOf } from '../../pipeline/trace/tracer.ts';
import { refuse } from '../http/refuse.ts';
import type { Recorder } from '../records/recorder.ts';
import { type Audience, createAudience } from '../sse/audience.ts';
import { Journal } from '../sse/journal.ts';
import { runPause } from './control/run-pause.ts';
import { deferred } from './deferred.ts';
import type { RunView } from './run-view.ts';
import type { RunPhase, TrackedRun } from './tracked-run.ts';
import type { Tracking } from './tracking.ts';
import { advanceSums } from './view/advance-sums.ts';
import { advanceView } from './view/advance-view.ts';
import { beginView, withPause } from './view/begin-view.ts';
import { shownSteps } from './view/shown-steps.ts';

const unfinished: readonly string[] = ['failed', 'aborted', 'cancelled'];

/** Starts a run and stores its events for clients. */
export function trackRun(tracking: Tracking): TrackedRun {
  const { owner, session, startedAt, limits, log } = tracking;
  const controller = new AbortController();
  const interrupt$ = new Subject<'graceful'>();
  // Only a run whose server has ended can be paused when another one resumes it.
  const wasPaused = tracking.resumes?.paused === true;
  const pause = runPause(wasPaused);
  const subscription = new Subscription();
  const begun = deferred<RunView>();
  const acted = deferred<ErrorInfo | undefined>();
  const ended = deferred<void>();
  // Waiting for these promises is optional, so a rejection is not unhandled.
  begun.promise.catch(() => {});
  const nested = new Set<string>();
  const shown = shownSteps(tracking.onTrace);
  let journal: Journal | undefined;
  let recorder: Recorder | undefined;
  let audience: Audience | undefined;
  let view: RunView | undefined;
  let endedAt: number | undefined;
  let phase: RunPhase = 'beginning';
  let noted: Parameters<TrackedRun['note']>[0] | undefined;
  let failure: ErrorInfo | undefined;
  let hasActed = false;
  let overdue: NodeJS.Timeout | undefined;

  function begin({ run }: SettledEvent): void {
    journal = new Journal(run.runId, { chunks: limits.journalChunks, gates: limits.journalGates });
    audience = createAudience(journal, limits);
    view = withPause(beginView(tracking, run), wasPaused && pause.isHeeded);
    phase = 'running';
    recorder = tracking.record(run.runId, giveUp);
    recorder.view(view);
    tracking.onView(view);
    begun.resolve(view);
  }

  function next(settled: SettledEvent): void {
    const event = withoutApprovals(settled);
    // For storage and display; the run continues with the original event.
    const clean = withSessionName(withoutApprovals(withCleanPrompts(settled)), owner.user);
    const traced = stepsOf(settled);
    const steps = shown.of(event, traced && pause.shown(traced));
    if (phase === 'beginning') begin(event);
    const own = event.run.runId === view?.runId;
    if (view) advance(advanceSums(own ? advanceView(view, clean) : view, clean, tracking.addCost));
    if (own && event.type === 'postCall') {
      void conclude(event, undefined, steps, clean);
      return;
    }
    if (isOver() || !view) return;
    if (!own && event.type === 'preCall') nested.add(event.run.runId);
    if (own && event.type === 'error') failure ??= event.error;
    else if (event.type !== 'preCall' && !hasActed) {
      hasActed = true;
      acted.resolve(undefined);
    }
    journal?.append(clean, steps);
    recorder?.event(clean, steps);
    audience?.wake();
  }

  function advance(next: RunView): void {
    if (next === view) return;
    view = next;
    recorder?.view(next);
    tracking.onView(next);
  }

  async function conclude(
    post?: SettledEvent<EventOf<'postCall'>>,
    thrown?: unknown,
    steps?: readonly TraceStep[],
    clean: SettledEvent | undefined = post,
  ): Promise<void> {
    if (isOver()) return;
    phase = 'settling';
    clearTimeout(overdue);
    endedAt = performance.now();
    // A server that wakes up late neither shows nor saves an end, because the run continues elsewhere.
    if (tracking.takeOver) await recorder?.stored().catch(() => false);
    view &&= withPause(view, false);
    if (!view) {
      phase = 'ended';
      begun.reject(thrown);
    } else if (post) {
      const unreportedChunks = shown.unreportedChunks();
      if (unreportedChunks > 0) view = { ...view, unreportedChunks };
      view = { ...view, outcome: post.outcome, ...(post.reason !== undefined && { reason: post.reason }) };
      const saved = post.outcome === 'suspended' && (await keep(view, post));
      close(saved ? 'suspended' : 'ended');
      journal?.append(clean ?? post, steps);
      recorder?.event(clean ?? post, steps);
    } else {
      log?.error({ err: thrown, runId: view.runId }, 'a run ended without postCall');
      const outcome = controller.signal.aborted ? 'cancelled' : 'failed';
      view = { ...view, outcome, reason: 'The run ended unexpectedly. See the server log.' };
      close('ended');
      journal?.setRemark('broken', { outcome, reason: view.reason });
    }
    journal?.close();
    audience?.wake();
    if (post && !unfinished.includes(post.outcome)) acted.resolve(undefined);
    acted.resolve(failure ?? { name: 'Error', message: view?.reason ?? 'The run ended before it started.' });
    await recorder?.flush();
    ended.resolve();
  }

  async function keep(about: RunView, post: SettledEvent<EventOf<'postCall'>>): Promise<boolean> {
    try {
      const saved = await tracking.save({ ...about, state: 'suspended', endedAt: new Date().toISOString() }, post);
      view = saved ?? about;
      return saved !== undefined;
    } catch (err) {
      log?.error({ err, runId: about.runId }, 'a suspended run could not be saved');
      view = { ...about, reason: 'The run was suspended but could not be saved. See the server log.' };
      return false;
    }
  }

  function close(state: 'suspended' | 'ended'): void {
    phase = state;
    if (view) advance({ ...view, state, endedAt: view.endedAt ?? new Date().toISOString() });
    // A client may have answered between saving and the last event.
    if (noted) note(noted);
  }

  function note(what: Parameters<TrackedRun['note']>[0]): void {
    if (phase === 'settling') noted = what;
    if (!view || phase === 'settling') return;
    phase = 'ended';
    const { waiting: _, ...rest } = view;
    view = { ...rest, ...what, state: 'ended' };
    tracking.onView(view);
    if (what.resumedBy !== undefined) journal?.setRemark('resumed', { runId: what.resumedBy });
  }

  function isOver(): boolean {
    return phase !== 'beginning' && phase !== 'running';
  }

  /** Ends the run here. Its clients connect again, and find it in the store. */
  function giveUp(): void {
    cancel('another server has taken over the run');
    journal?.close();
    audience?.wake();
    const last = view;
    view = journal = audience = undefined;
    if (last) tracking.onTaken(last);
  }

  function cancel(reason: string): void {
    if (isOver() || controller.signal.aborted) return;
    overdue = setTimeout(() => {
      subscription.unsubscribe();
      const why = `A cancelled run did not end within ${limits.cancelMs} ms.`;
      const late = { 'retry-after': '5' };
      void conclude(undefined, view ? new Error(why) : refuse(503, 'The run did not start in time.', late));
    }, limits.cancelMs);
    controller.abort(reason);
  }

  subscription.add(
    defer(() => tracking.events$(controller.signal, interrupt$, [pause.hook])).subscribe({
      next,
      error: (thrown) => void conclude(undefined, thrown),
      complete: () => void conclude(undefined, new Error('The events of a run ended without postCall.')),
    }),
  );

  return {
    owner,
    session,
    startedAt,
    nested,
    begun: begun.promise,
    acted: acted.promise,
    ended: ended.promise,
    get phase() {
      return phase;
    },
    get view() {
      return view;
    },
    get endedAt() {
      return endedAt;
    },
    get journal() {
      return journal;
    },
    get audience() {
      return audience;
    },
    cancel,
    interrupt() {
      interrupt$.next('graceful');
      pause.interrupt();
      if (view && phase === 'running') advance(withPause(view, false));
    },
    async hold(paused) {
      if (!view || phase !== 'running') throw refuse(409, 'The run has ended.');
      if (!pause.isHeeded) throw refuse(409, 'The loop of this run cannot be paused. Cancel the run instead.');
      pause.set(paused);
      advance(withPause(view, paused));
      // Other servers read the record.
      await recorder?.stored().catch(() => false);
    },
    beat() {
      if (view && phase === 'running') recorder?.view(view);
    },
    forget() {
      if (endedAt === undefined || (audience && audience.size > 0)) return;
      journal = audience = undefined;
    },
    note,
  };
}
