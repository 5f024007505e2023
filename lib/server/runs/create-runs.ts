import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { DocumentStore } from '../../config/document-store.ts';
import type { JsonObject } from '../../events/json-value.ts';
import { runRecords } from '../records/run-records.ts';
import { refuse } from '../refuse.ts';
import { memoryRunStore } from '../run-store/memory-run-store.ts';
import type { RunStore } from '../run-store/run-store.ts';
import { createAudience } from '../sse/audience.ts';
import type { Journal } from '../sse/journal.ts';
import { streamQuota } from '../sse/stream-quota.ts';
import type { AnswerBody } from './answer-body.ts';
import { type Answerer, type AnswerOutcome, createAnswering } from './answering.ts';
import type { Approval } from './approval.ts';
import { drainRuns } from './drain-runs.ts';
import { keptRuns } from './kept-runs.ts';
import { ownSession } from './own-session.ts';
import { runLimits, type runLimitsSchema } from './run-limits.ts';
import { pageOf, type RunPage } from './run-page.ts';
import type { RunPorts, RunRequest } from './run-ports.ts';
import type { RunView } from './run-view.ts';
import { suspendRun } from './suspend-run.ts';
import { isBeingResumed } from './suspended-run.ts';
import { suspendedRuns } from './suspended-runs.ts';
import { type TrackedRun, trackRun } from './tracked-run.ts';
import { withApprovals } from './with-approvals.ts';

/** What runs are made of. */
export interface RunsOptions extends RunPorts {
  /** Where suspended runs wait. */
  readonly store: DocumentStore;
  /** Where runs are recorded, their events and answered approvals. Default: those that are kept in memory, without their events. */
  readonly runStore?: RunStore;
  readonly log?: Logger;
  readonly limits?: z.input<typeof runLimitsSchema>;
}

/** What somebody wants to have run. A session without a name gets a new one. */
export type RunWish = Omit<RunRequest, 'user' | 'sessionId'> & { readonly sessionId?: string };

/** The runs of this server, and the suspended ones of its store. Whatever is another user's is not there. */
export interface Runs {
  /** Resolves when the run has begun. Refused (409, 429, 503) where its session is busy or there are too many. */
  start(user: string, wish: RunWish): Promise<RunView>;
  /** The newest first. */
  list(user: string, limit: number, after?: string): Promise<RunPage>;
  find(user: string, runId: string): Promise<RunView>;
  /** Cancels a running run, and gives up a suspended one. */
  cancel(user: string, runId: string): Promise<RunView>;
  /** Server-sent events after the one with that id; undefined where all is told. `hangUp` ends a connection that takes nothing. */
  events(
    user: string,
    runId: string,
    lastId?: string,
    hangUp?: () => void,
  ): Promise<ReadableStream<Uint8Array> | undefined>;
  approvals(who: Answerer): Promise<readonly Approval[]>;
  /** A call that waits, with the events around it. */
  approval(who: Answerer, id: string): Promise<Approval & { readonly events: readonly JsonObject[] }>;
  answer(who: Answerer, approval: string, body: AnswerBody): Promise<AnswerOutcome>;
  /** Takes no more runs, gives the running ones `graceMs`, then cancels them. Resolves when all have ended and their clients know. */
  drain(graceMs: number): Promise<void>;
}

/** Keeps track of runs. Wrong limits are `OPTIONS_INVALID`. */
export function createRuns(options: RunsOptions): Runs {
  const { store, log } = options;
  const limits = runLimits(options.limits);
  const suspended = suspendedRuns(store, log);
  const records = runRecords(options.runStore ?? memoryRunStore({ runs: limits.kept, logs: false }), log);
  const runs = keptRuns(limits);
  // Beginning, doing something, and writing it down.
  const goneMs = 3 * limits.startMs;
  let draining = false;
  let latest = 0;
  const streams = streamQuota(limits.clients, limits.clientsPerUser);

  const answering = createAnswering({
    suspended,
    records,
    patienceMs: limits.startMs,
    goneMs,
    expireMs: limits.expireMs,
    log,
    admit: ({ user, session }) => admit(user, session),
    resume(run, snapshot, answers) {
      const owner = ownerOf(run.user, run.run.scope);
      const told = withApprovals(snapshot, run);
      return track(owner, run.session, (signal) => options.resume(told, answers, owner, signal));
    },
    onResumed: (user, runId, resumedBy) => runs.find(user, runId)?.note({ resumedBy }),
  });

  const expiring = setInterval(() => {
    answering.expire().catch((err: unknown) => log?.error({ err }, 'approvals that have expired cannot be denied'));
  }, limits.expireCheckMs).unref();

  function admit(user: string, session: string): void {
    const later = { 'retry-after': '5' };
    if (draining) throw refuse(503, 'The server is ending and takes no more runs.', later);
    // One that is being saved takes nothing of its session any more.
    const running = runs.running().filter(({ phase }) => phase === 'beginning' || phase === 'running');
    const own = running.filter(({ owner }) => owner.user === user);
    const busy = own.find((run) => run.session === session);
    if (busy) {
      const which = busy.view ? `run ${busy.view.runId}` : 'another run';
      throw refuse(409, `The session is busy with ${which}. Wait until that has ended, or cancel it.`);
    }
    if (own.length >= limits.runningPerUser) {
      throw refuse(429, `You have ${own.length} runs going on; more are not allowed at a time.`, later);
    }
    if (running.length >= limits.running) {
      throw refuse(503, `The server has ${running.length} runs going on; more are not allowed at a time.`, later);
    }
  }

  function track(
    owner: TrackedRun['owner'],
    session: string,
    events$: Parameters<typeof trackRun>[0]['events$'],
  ): TrackedRun {
    // In the order in which they were started, even within a millisecond.
    latest = Math.max(Date.now(), latest + 1);
    const run = trackRun({
      owner,
      session,
      startedAt: latest,
      limits,
      log,
      events$,
      record: (runId) => records.record({ user: owner.user, runId }),
      async save(view, { snapshot = {} }) {
        const run = suspendRun(owner.user, view, snapshot);
        await suspended.add(run, snapshot);
        return run.run;
      },
    });
    runs.add(run);
    const overdue = setTimeout(() => run.cancel(`it did not begin within ${limits.startMs} ms`), limits.startMs);
    run.begun.catch(() => {}).finally(() => clearTimeout(overdue));
    return run;
  }

  /** The events of a run that has ended, from its record. */
  async function recorded(user: string, runId: string): Promise<Journal> {
    const { state, resumedBy, outcome, reason } = await find(user, runId);
    if (state === 'running') {
      throw refuse(409, 'The run goes on at another server, which tells of its events. Ask that one.');
    }
    const kept = await records.journal({ user, runId }, { chunks: limits.journalChunks, gates: limits.journalGates });
    if (!kept) {
      const next = resumedBy ? ` It goes on as ${resumedBy}.` : '';
      throw refuse(404, `The events of the run are not kept any more.${next}`);
    }
    const { journal, whole } = kept;
    if (resumedBy !== undefined) journal.setRemark('resumed', { runId: resumedBy });
    else if (!whole) journal.setRemark('broken', { outcome, reason });
    return journal;
  }

  async function find(user: string, runId: string): Promise<RunView> {
    const view = runs.find(user, runId)?.view;
    if (view && view.state !== 'suspended') return view;
    const stored = await suspended.find(user, runId);
    if (stored) return stored.run.run;
    const recorded = (await records.find({ user, runId })) ?? view;
    if (recorded) return recorded;
    throw unknown(runId);
  }

  return {
    async start(user, { sessionId = randomUUID(), ...wish }) {
      const session = ownSession(user, sessionId);
      const waiting = await suspended.count(user);
      if (waiting >= limits.suspendedPerUser) {
        const what = `You have ${waiting} suspended runs; more are not allowed. Answer their approvals (GET /api/approvals), or cancel them.`;
        throw refuse(429, what);
      }
      admit(user, session);
      const owner = ownerOf(user, wish.scope);
      return track(owner, session, (signal) => options.start({ ...wish, user, sessionId: session }, signal)).begun;
    },
    async list(user, limit, after) {
      const stored = (await suspended.list(user)).map(({ run }) => run.run);
      // What this server knows itself goes before what it has written.
      const views = [...(await records.list(user)), ...stored, ...runs.views(user)];
      return pageOf([...new Map(views.map((view) => [view.runId, view])).values()], limit, after);
    },
    find,
    async cancel(user, runId) {
      const run = runs.find(user, runId);
      if (run?.view?.state === 'running') {
        run.cancel('cancelled over HTTP');
        await run.ended;
      }
      const stored = await suspended.find(user, runId);
      if (!stored) return find(user, runId);
      const given = { outcome: 'cancelled', reason: 'given up over HTTP' } as const;
      if (isBeingResumed(stored.run, goneMs) || !(await suspended.remove(user, runId, stored.revision))) {
        throw refuse(409, 'The run is being resumed. Cancel the run that goes on in its place.');
      }
      run?.note(given);
      const { waiting: _, ...view } = stored.run.run;
      const ended: RunView = { ...view, state: 'ended', ...given };
      await records.note({ user, runId }, ended);
      return ended;
    },
    async events(user, runId, lastId, hangUp) {
      const run = runs.find(user, runId);
      const journal = run?.journal ?? (await recorded(user, runId));
      const from = lastId === undefined ? 0 : journal.placeAfter(lastId);
      if (from === undefined) {
        throw refuse(
          400,
          `Last-Event-ID ${JSON.stringify(lastId)} is no id of this run's events. Leave it out to get all.`,
        );
      }
      if (journal.isOver(from)) return undefined;
      const release = streams.take(user);
      if (run?.journal && run.audience) return run.audience.open(from, hangUp, release);
      const audience = createAudience(journal, { lag: limits.clientLag, stallMs: limits.stallMs });
      runs.visit({ audience });
      return audience.open(from, hangUp, release);
    },
    approvals: answering.list,
    async approval(who, id) {
      const approval = await answering.find(who, id);
      if (!approval)
        throw refuse(404, `There is no approval ${JSON.stringify(id)}. GET /api/approvals lists those that wait.`);
      const { user, runId, toolCallId } = approval;
      return { ...approval, events: await records.around({ user, runId }, toolCallId) };
    },
    answer: answering.answer,
    async drain(graceMs) {
      draining = true;
      clearInterval(expiring);
      await drainRuns(runs, graceMs, limits.lingerMs);
    },
  };
}

function ownerOf(user: string, scope: string | undefined): TrackedRun['owner'] {
  return { user, ...(scope !== undefined && { scope }) };
}

function unknown(runId: string): Error {
  return refuse(404, `There is no run ${JSON.stringify(runId)}. GET /api/runs lists yours.`);
}
