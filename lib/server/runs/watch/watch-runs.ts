import { userInfo } from 'node:os';
import { asapScheduler, defer, isObservable, type Observable, observeOn, Subject, switchMap, tap } from 'rxjs';
import { handleOf, type RunHandle } from '../../../agent/run-handle.ts';
import type { AnsweredRun, RunWatcher, WatchedRuns, WatchOptions } from '../../../agent/run-watcher.ts';
import { HooklineError } from '../../../errors.ts';
import { cancelRun, isCancellable } from '../../../events/cancel-run.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import { refuse } from '../../http/refuse.ts';
import type { RunControl, RunView } from '../run-view.ts';
import type { TrackedRun } from '../tracked-run.ts';
import type { Tracking } from '../tracking.ts';

/** Runs that the program starts by itself. */
export interface WatchedRunsOfProgram extends RunWatcher {
  /** Resumes a suspended run by the agent or handler that owns it. Fails with `SNAPSHOT_STALE` if there is none. */
  resume(run: AnsweredRun): Observable<SettledEvent>;
  /** Called when a run ends, and when a suspended run is resumed or given up. */
  forget(runId: string): void;
  has(run: TrackedRun): boolean;
  /** Whether the run may continue the conversation of a suspended one: another agent with another transcript does not. */
  continues(run: RunInfo, suspended: Pick<RunView, 'runId' | 'agent'>): boolean;
  /** Rejects (409) a control of a watched run that has no effect. */
  checkControl(run: TrackedRun | undefined, control: RunControl): void;
}

interface Parts {
  /** Tracks a run. `suspends` is false if nobody here can resume it. */
  readonly track: (run: RunInfo, user: string, events$: Tracking['events$'], suspends: () => boolean) => TrackedRun;
  /** Whether a run is tracked already, because this server starts it, or because it has two sources. */
  readonly isKnown: (runId: string) => boolean;
  /** Called when a run starts in a session, with the run that it resumes, if any. */
  readonly onStart: (run: RunInfo, tracked: TrackedRun) => void;
}

type Resume = NonNullable<WatchOptions['resume']>;

interface Source {
  /** Whether suspended runs can be resumed here. */
  resumes: boolean;
  user: string | undefined;
}

/** Watches runs that the program starts by itself. Events are handled asynchronously, so that watching never delays or fails a run. */
export function watchRuns({ track, isKnown, onStart }: Parts): WatchedRunsOfProgram {
  const sources = new WeakMap<Observable<SettledEvent>, Source>();
  /** Of handlers, in the order of registration. */
  const resumers = new Set<Resume>();
  /** Of active and suspended runs of agents, by run. */
  const own = new Map<string, RunHandle>();
  const watched = new WeakMap<TrackedRun, RunInfo>();

  function keep({ run, ...event }: SettledEvent): void {
    const handle = event.type === 'preCall' && run.parentRunId === undefined && handleOf(run);
    if (handle) own.set(run.runId, handle);
  }

  function open(source$: Observable<SettledEvent>): Source {
    const source: Source = { resumes: false, user: undefined };
    /** The events of each active run and its sub-agents, by run. */
    const feeds = new Map<string, Subject<SettledEvent>>();
    function begin(event: SettledEvent): Subject<SettledEvent> | undefined {
      const { run } = event;
      if (event.type !== 'preCall') return undefined;
      if (run.parentRunId !== undefined) return feeds.get(run.parentRunId);
      if (isKnown(run.runId)) return undefined;
      const user = run.userId ?? source.user ?? userInfo().username;
      const feed = new Subject<SettledEvent>();
      const events$: Tracking['events$'] = (signal, interrupt$) => {
        signal.addEventListener('abort', () => cancelRun(run, String(signal.reason)));
        interrupt$.subscribe(() => handleOf(run)?.interrupt());
        return feed;
      };
      const tracked = track(run, user, events$, () => source.resumes || own.has(run.runId));
      watched.set(tracked, run);
      onStart(run, tracked);
      return feed;
    }
    // Asynchronous: by then, a run that this server has started itself is known.
    source$.pipe(observeOn(asapScheduler)).subscribe({
      next(event) {
        const { runId, parentRunId } = event.run;
        const feed = feeds.get(runId) ?? begin(event);
        if (!feed) return;
        feeds.set(runId, feed);
        keep(event);
        feed.next(event);
        if (event.type === 'postCall') feeds.delete(runId);
        if (event.type === 'postCall' && parentRunId === undefined) feed.complete();
      },
      error(thrown) {
        for (const feed of new Set(feeds.values())) feed.error(thrown);
      },
      complete() {
        for (const feed of new Set(feeds.values())) feed.complete();
      },
    });
    sources.set(source$, source);
    return source;
  }

  return {
    watch(given: WatchedRuns, { user, resume }: WatchOptions = {}) {
      const source$ = streamOf(given);
      const source = sources.get(source$) ?? open(source$);
      source.user = user ?? source.user;
      if (resume) resumers.add(resume);
      source.resumes ||= resume !== undefined;
    },
    resume: (run) =>
      defer(async () => {
        for (const resume of [...resumers].reverse()) {
          const events$ = await resume(run);
          if (events$) return events$.pipe(tap(keep));
        }
        const { runId, snapshot, answers, signal } = run;
        const handle = own.get(runId);
        if (handle) return handle.resume(snapshot, answers, signal).pipe(tap(keep));
        const what = 'The program that suspended this run has ended, or the run has continued elsewhere.';
        throw new HooklineError(
          'SNAPSHOT_STALE',
          `${what} Answer the call where the run was started, or cancel the run.`,
        );
      }).pipe(switchMap((events$) => events$)),
    forget: (runId) => void own.delete(runId),
    has: (run) => watched.has(run),
    continues(run, { runId, agent }) {
      const before = own.get(runId);
      return !before || run.agent === agent || handleOf(run)?.transcript === before.transcript;
    },
    checkControl(run, control) {
      const info = run && watched.get(run);
      if (!info || run.phase !== 'running') return;
      if (control === 'interrupt' && !handleOf(info))
        throw refuse(409, 'The loop of this run accepts no interrupt. Cancel the run instead.');
      if (!isCancellable(info)) throw refuse(409, 'The run belongs to another process. Cancel it there.');
    },
  };
}

function streamOf(source: WatchedRuns): Observable<SettledEvent> {
  if (isObservable(source)) return source;
  const { pipeline = source } = (source ?? {}) as { pipeline?: unknown };
  const { events$ } = (pipeline ?? {}) as { events$?: unknown };
  if (isObservable(events$)) return events$ as Observable<SettledEvent>;
  throw new HooklineError(
    'OPTIONS_INVALID',
    'runs.watch(source): source must be an agent, a pipeline or an Observable of settled events.',
  );
}
