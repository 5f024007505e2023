import { randomUUID } from 'node:crypto';
import { ownSession } from '../../chat/own-session.ts';
import { createAnswering } from '../approvals/answering.ts';
import { approvalOf } from '../approvals/approval.ts';
import { suspendRun } from '../approvals/suspend-run.ts';
import type { GivenAnswer, SuspendedRun } from '../approvals/suspended-run.ts';
import { suspendedRuns } from '../approvals/suspended-runs.ts';
import { waitingInside } from '../approvals/waiting-inside.ts';
import { withApprovals } from '../approvals/with-approvals.ts';
import { refuse } from '../http/refuse.ts';
import { keptOf } from '../records/run-head.ts';
import { runRecords } from '../records/run-records.ts';
import { memoryRunStore } from '../run-store/memory-run-store.ts';
import { approvalActivity, createActivities, currentActivities, runActivity } from '../screens/activity.ts';
import { createHookDays } from '../screens/hook-days.ts';
import { createHookCounter } from '../screens/hook-statistics.ts';
import { sessionsOf } from '../screens/sessions.ts';
import { streamQuota } from '../sse/stream-quota.ts';
import { admitBeside, admitRun } from './admit-run.ts';
import { runControls } from './control/run-controls.ts';
import { drainRuns } from './drain-runs.ts';
import { keptRuns } from './kept-runs.ts';
import { runApprovals } from './run-approvals.ts';
import { runEvents } from './run-events.ts';
import { runLimits } from './run-limits.ts';
import { runList } from './run-list.ts';
import { noPorts, ownerOf } from './run-ports.ts';
import type { RunView } from './run-view.ts';
import type { Runs, RunsOptions } from './runs.ts';
import { sessionTranscripts } from './session-transcripts.ts';
import { assertTakesOver, createTakeOvers } from './take-over/take-overs.ts';
import { trackRun } from './track-run.ts';
import type { Origin, TrackedRun } from './tracked-run.ts';
import { pageOf } from './view/run-page.ts';
import { addCostBy } from './view/run-prices.ts';
import { endContinued } from './watch/end-continued.ts';
import { watchRuns } from './watch/watch-runs.ts';

/** Creates the registry of runs. Invalid limits are `OPTIONS_INVALID`. */
export function createRuns(options: RunsOptions): Runs {
  const { store, log, place, start, resume, recover, takeOver } = { ...noPorts, ...options };
  if (takeOver) assertTakesOver(options);
  const limits = runLimits(options.limits);
  const suspended = suspendedRuns(store, log);
  const runStore = options.runStore ?? memoryRunStore({ runs: limits.kept, logs: false });
  const records = runRecords(runStore, log, (key, head) => takeOver === true && takeOvers.waits(key, head));
  const runs = keptRuns(limits);
  // Time to start, to do something and to record it.
  const goneMs = 3 * limits.startMs;
  const activities = options.activities ?? createActivities();
  const hooks = createHookCounter();
  const days = createHookDays(store, log);
  let [draining, latest] = [false, 0];
  const streams = streamQuota(limits.clients, limits.clientsPerUser);

  const answering = createAnswering({
    suspended,
    records,
    place,
    tools: options.tools ?? [],
    patienceMs: limits.startMs,
    goneMs,
    expireMs: limits.expireMs,
    log,
    onAnswered({ user, run: { runId } }, { id }, { action, by } = {} as GivenAnswer) {
      activities.publish({ type: 'answered', user, data: { id, runId, user, ...(action && { action, by }) } });
    },
    onWaiting: notifyWaiting,
    admit: ({ user, session }) => admit(user, session),
    resume(run, snapshot, answers) {
      const owner = ownerOf(run.user, run.run.scope);
      const approved = withApprovals(snapshot, run);
      const { watched, session } = run;
      const { runId } = run.run;
      const from = { resumes: run.run, asked: snapshot };
      if (!watched) return track(owner, session, (...to) => resume(approved, answers, owner, ...to), from);
      const resumed = (signal: AbortSignal) => watching.resume({ runId, snapshot: approved, answers, signal });
      return track(owner, session, resumed, { ...from, suspends: () => true });
    },
    onResumed(user, runId, resumedBy) {
      runs.find(user, runId)?.note({ resumedBy });
      watching.forget(runId);
    },
  });

  const inside = waitingInside({
    inbox: options.inbox,
    holding: runs.holding,
    publish(activity) {
      activities.publish(activity);
      const { view } = runs.holding(activity.data.runId) ?? {};
      if (view) tellRun(view);
    },
    tools: options.tools ?? [],
    place,
    log,
  });

  function tellRun(view: RunView): void {
    activities.publish(runActivity(list.shown(view)));
  }

  const watching = watchRuns({
    track(run, user, events$, suspends) {
      // A program may resume a run without its approval here.
      const resumes = run.resumedFrom === undefined ? undefined : runs.find(user, run.resumedFrom)?.view;
      return track({ user }, run.sessionId, events$, { suspends, ...(resumes && { resumes }) });
    },
    isKnown: (runId) => runs.holding(runId) !== undefined,
    onStart: endContinued({
      suspended,
      records,
      find: runs.find,
      isResuming: answering.isResuming,
      resumed: answering.resumed,
      continues: (run, earlier) => watching.continues(run, earlier),
      saved: runs.saved,
      onEnded({ user, calls, run: { runId } }) {
        watching.forget(runId);
        for (const { id } of calls) activities.publish({ type: 'answered', user, data: { id, runId, user } });
      },
      log,
    }),
  });

  const approvals = runApprovals({ inside, answering, records });

  const expiring = setInterval(() => {
    answering.expire().catch((err: unknown) => log?.error({ err }, 'the server cannot deny expired approvals'));
  }, limits.expireCheckMs).unref();

  function ownRuns(): readonly TrackedRun[] {
    return runs.running().filter((run) => !watching.has(run));
  }

  function admit(user: string, session: string): void {
    if (draining) throw refuse(503, 'The server is shutting down and rejects new runs.', { 'retry-after': '5' });
    admitRun(ownRuns(), limits, user, session);
  }

  function track(
    owner: TrackedRun['owner'],
    session: string,
    events$: Parameters<typeof trackRun>[0]['events$'],
    { resumes, suspends, asked }: Origin = {},
  ): TrackedRun {
    // The record of a run of a program shows its events only.
    const kept = suspends ? undefined : { ...about, ...keptOf(asked) };
    // In start order, even within a millisecond.
    latest = Math.max(Date.now(), latest + 1);
    const run = trackRun({
      owner,
      session,
      startedAt: latest,
      resumes,
      addCost: addCostBy(options.prices?.()),
      limits,
      log,
      events$,
      takeOver: takeOver === true && !suspends,
      onTrace(steps) {
        hooks.add(steps);
        days.add(steps);
      },
      onView: tellRun,
      onTaken: (view) => void takeOvers.showTaken(view),
      record: (runId, onTaken) => records.record({ user: owner.user, runId }, kept, kept && onTaken),
      async save(view, { snapshot = {} }) {
        if (suspends?.() === false) return undefined;
        const run = { ...suspendRun(owner.user, view, snapshot, place), ...(suspends && { watched: true as const }) };
        if (suspends && run.calls.length === 0) return undefined;
        await suspended.add(run, snapshot);
        notifyWaiting(run);
        return run.run;
      },
    });
    runs.add(run);
    const overdue = setTimeout(() => run.cancel(`the run did not start within ${limits.startMs} ms`), limits.startMs);
    run.begun.catch(() => {}).finally(() => clearTimeout(overdue));
    void run.ended.then(() => run.phase === 'ended' && run.view && watching.forget(run.view.runId));
    return run;
  }

  const about = { ...(place && { place }), ...(takeOver && { writeAhead: true as const }) };
  const takeOvers = createTakeOvers({
    store: runStore,
    records,
    place,
    admit,
    suspended,
    isActive: (runId) => runs.holding(runId) !== undefined,
    recover: (run, resumes) => track(run.owner, run.sessionId, (...to) => recover(run, ...to), { resumes, asked: run }),
    onView: tellRun,
    log,
  });
  const stopTakeOvers = takeOver ? takeOvers.start() : undefined;

  function notifyWaiting(run: SuspendedRun): void {
    for (const call of run.calls) activities.publish(approvalActivity(approvalOf(run, call, limits.expireMs)));
  }

  const list = runList({ records, suspended, runs, inside });
  const { find } = list;
  return {
    startsRuns: options.start !== undefined,
    async start(user, { sessionId, prompt = '', ...request }) {
      const session = ownSession(user, sessionId ?? randomUUID());
      admitBeside(await suspended.count(user), limits);
      admit(user, session);
      if (sessionId === undefined) options.transcript?.begin?.(session);
      const run = { ...request, prompt, user, sessionId: session };
      const asked = request;
      return track(ownerOf(user, request.scope), session, (...control) => start(run, ...control), { asked }).begun;
    },
    list: async (user, limit, after, wanted) => pageOf(await list.pieces(user), limit, after, wanted),
    sessions: async (user) => sessionsOf(await list.pieces(user)),
    ownerOf: list.ownerOf,
    transcript: sessionTranscripts(options, async (user) => (await list.pieces(user)).map(({ view }) => view)),
    activity(who, { approves, all = false }) {
      const pieces = () => list.pieces(all ? undefined : who.user);
      const now = async () => currentActivities(await pieces(), approves ? await approvals.approvals(who) : []);
      const seen = { who: approves ? who : { user: who.user }, approves, all };
      return activities.stream(seen, now, streams.take(who.user));
    },
    find,
    watch: watching.watch,
    ...runControls({ runs, suspended, records, watching, takeOvers, answering, find, options }),
    ...runEvents({ runs, records, limits, streams, find }),
    hookStatistics: async (count) => (count === undefined ? hooks.statistics() : days.statistics(count)),
    ...approvals,
    stored: (runId) => records.stored(runs.holding(runId)?.view?.runId ?? runId),
    async drain(graceMs) {
      draining = true;
      clearInterval(expiring);
      stopTakeOvers?.();
      inside.stop();
      await drainRuns({ running: ownRuns, read: runs.read }, graceMs, limits.lingerMs);
      activities.close();
      await days.close();
    },
  };
}
