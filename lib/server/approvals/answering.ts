import { setTimeout as sleep } from 'node:timers/promises';
import { HTTPException } from 'hono/http-exception';
import type { Logger } from 'pino';
import { editedInputError } from '../../agent/suspend/edited-input.ts';
import type { Answers, Snapshot } from '../../agent/suspend/snapshot.ts';
import { type ErrorCode, errorCodes, HooklineError } from '../../errors.ts';
import type { ErrorInfo } from '../../events/parts/error-info.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { refuse } from '../http/refuse.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TrackedRun } from '../runs/tracked-run.ts';
import type { AnswerBody } from './answer-body.ts';
import type { AnswerOutcome } from './answer-outcome.ts';
import { answerableRuns, usersOf } from './answerable-runs.ts';
import type { Answerer } from './answerer-of.ts';
import { type Approval, approvalOf, runOfApproval } from './approval.ts';
import { isElsewhere, type RunPlace, refuseElsewhere } from './run-place.ts';
import {
  answersOf,
  type GivenAnswer,
  givenBy,
  isAnswered,
  isBeingResumed,
  type SuspendedRun,
  type WaitingCall,
  waitingAgain,
} from './suspended-run.ts';
import type { Found, SuspendedRuns } from './suspended-runs.ts';

export interface Answering {
  /** Lists the pending calls, newest first. */
  list(who: Answerer): Promise<readonly Approval[]>;
  /** Returns a pending call with the owner of its run. Returns undefined if the call is not pending. */
  find(who: Answerer, id: string): Promise<Approval | undefined>;
  /** Rejects an unknown approval (404). If the run cannot be resumed, rejects with the reason, and all of its calls are pending again. */
  answer(who: Answerer, id: string, body: AnswerBody): Promise<AnswerOutcome>;
  /**
   * Denies calls of expired runs, and gives up runs that cannot be resumed. Uses the system clock, because a run may be pending across restarts. If
   * the clock jumps ahead, calls are denied too early.
   */
  expire(): Promise<void>;
  /** Whether a server is resuming the run. For another server, the answer depends on the system clock. */
  isResuming(run: SuspendedRun): boolean;
  /** Settles when no answer given here is resuming the run any more. */
  resumed(runId: string): Promise<unknown> | undefined;
}

export interface AnsweringParts {
  readonly suspended: SuspendedRuns;
  readonly records: Pick<RunRecords, 'winner' | 'note'>;
  /** The workspace of the runs of this server. Runs of another workspace are not resumed here. */
  readonly place: RunPlace | undefined;
  /** The known tools. Edited inputs are validated by their schemas. */
  readonly tools: readonly Tool[];
  /** Milliseconds after which an unanswered call is denied. */
  readonly expireMs: number;
  /** Milliseconds after which a started run counts as resumed, even without events. */
  readonly patienceMs: number;
  /** Milliseconds after which a server that is resuming a run counts as gone. */
  readonly goneMs: number;
  /** Throws if no run may start in that session. */
  readonly admit: (run: SuspendedRun) => void;
  readonly resume: (run: SuspendedRun, snapshot: Snapshot, answers: Answers) => TrackedRun;
  /** Called when another run resumes a run. */
  readonly onResumed: (user: string, runId: string, resumedBy: string) => void;
  /** Called for calls that are no longer pending, and for calls that are pending again. */
  readonly onAnswered: (run: SuspendedRun, call: WaitingCall, given?: GivenAnswer) => void;
  readonly onWaiting: (run: SuspendedRun) => void;
  readonly log: Logger | undefined;
}

/** Accepts answers to suspended calls. Resumes a run when all of its calls are answered. */
export function createAnswering(parts: AnsweringParts): Answering {
  const { suspended, records, log } = parts;
  const answerable = answerableRuns(suspended);

  /** Runs that this server is resuming. */
  const resuming = new Set<string>();
  /** The answers that may resume a run, from before they are written. */
  const attempts = new Map<string, Promise<unknown>>();
  const isResuming: Answering['isResuming'] = (run) => resuming.has(run.run.runId) || isBeingResumed(run, parts.goneMs);

  /** Discards the answers if the server that was resuming the run is gone. */
  function open({ run, revision }: Found): Found {
    if (run.resuming === undefined || isResuming(run)) return { run, revision };
    const message =
      'The server that resumed the run has ended. It is unknown whether the calls of the run were executed.';
    return { revision, run: waitingAgain(run, { code: 'RUN_INTERRUPTED', message }) };
  }

  const shown = (run: SuspendedRun, call: WaitingCall) => approvalOf(run, call, parts.expireMs);

  async function answer(who: Answerer, id: string, body: AnswerBody): Promise<AnswerOutcome> {
    const runId = runOfApproval(id);
    const found = await answerable.find(who, runId);
    if (!found) return late(who, runId, id);
    const { run, revision } = open(found);
    const call = run.calls.find((one) => one.id === id);
    if (!call) throw unknownApproval(id);
    const winner = run.answers[call.key];
    if (winner) return { status: 'answered', winner };
    refuseElsewhere(run.place, parts.place);
    if (call.hash !== body.hash) return { status: 'changed', current: shown(run, call) };
    const misfit = body.action === 'approve' && body.input && (await editedInputError(parts.tools, call, body.input));
    if (misfit) throw refuse(422, misfit);
    const given = givenBy(who, call, body);
    const answers = { ...run.answers, [call.key]: given };
    const complete = isAnswered(run, answers);
    if (complete) parts.admit(run);
    const next = { ...run, answers, ...(complete && { resuming: given.at }) };
    const take = async (): Promise<AnswerOutcome | undefined> => {
      const written = await suspended.write(next, revision);
      if (written === false) return undefined;
      parts.onAnswered(run, call, given);
      if (complete) return resume(next, written);
      return { status: 'recorded', runId, waiting: run.calls.length - Object.keys(answers).length };
    };
    const taken = take();
    if (complete) hold(runId, taken);
    // Another answer was written in between, to this call or to another call of the run.
    return (await taken) ?? answer(who, id, body);
  }

  function hold(runId: string, work: Promise<unknown>): void {
    const all = Promise.allSettled([attempts.get(runId), work]).then(() => {
      if (attempts.get(runId) === all) attempts.delete(runId);
    });
    attempts.set(runId, all);
  }

  async function late(who: Answerer, runId: string, id: string): Promise<AnswerOutcome> {
    for (const user of usersOf(who) ?? [undefined]) {
      const winner = await records.winner({ runId, ...(user !== undefined && { user }) }, id);
      if (winner) return { status: 'answered', winner };
    }
    throw unknownApproval(id);
  }

  /** Called after the write at this revision succeeded, so no other server resumes the run. */
  async function resume(run: SuspendedRun, revision: number): Promise<AnswerOutcome> {
    const { user } = run;
    const { runId } = run.run;
    let tracked: TrackedRun;
    resuming.add(runId);
    try {
      parts.admit(run);
      const snapshot = await suspended.snapshot(user, runId);
      tracked = parts.resume(run, snapshot, answersOf(run));
      await tracked.begun;
      const failure = await Promise.race([tracked.acted, sleep(parts.patienceMs, undefined, { ref: false })]);
      if (failure) throw errorOf(failure);
    } catch (thrown) {
      log?.warn({ err: thrown, runId }, 'a suspended run could not be resumed; its calls are pending again');
      const { code = 'RUN_FAILED', message } = thrown as { code?: string; message: string };
      const again = waitingAgain(run, { code, message });
      await suspended.write(again, revision);
      resuming.delete(runId);
      parts.onWaiting(again);
      throw thrown;
    }
    const { runId: resumedBy } = await tracked.begun;
    parts.onResumed(user, runId, resumedBy);
    const byApproval = run.calls.map(({ id, key }) => [id, run.answers[key] as GivenAnswer]);
    // Recorded before the run is removed, so that later answers get the first answer.
    const { waiting: _, ...view } = run.run;
    await records.note({ user, runId }, { ...view, state: 'ended', resumedBy }, Object.fromEntries(byApproval));
    try {
      await suspended.remove(user, runId, revision);
      resuming.delete(runId);
    } catch (err) {
      // The run continues anyway. Its document states that it is being resumed.
      log?.error({ err, runId }, 'a resumed run could not be removed from the store');
    }
    return { status: 'resumed', runId, resumedBy };
  }

  async function expire(): Promise<void> {
    for (const found of await suspended.list()) {
      const { run, revision } = open(found);
      if (isElsewhere(run.place, parts.place)) continue;
      if (run.resuming !== undefined || Date.parse(run.run.endedAt ?? run.run.startedAt) + parts.expireMs > Date.now())
        continue;
      try {
        for (const { key, id, hash } of run.calls) {
          if (Object.hasOwn(run.answers, key)) continue;
          await answer({ user: NOBODY, expired: true, approvesFor: [run.user] }, id, {
            action: 'deny',
            hash,
            reason: EXPIRED,
          });
        }
      } catch (err) {
        // The run may start later, because too many runs are active now.
        if (err instanceof HTTPException) continue;
        log?.warn({ err, runId: run.run.runId }, 'a run with expired approvals could not be resumed; it is cancelled');
        await giveUp(run, revision);
      }
    }
  }

  async function giveUp(run: SuspendedRun, revision: number): Promise<void> {
    const { user } = run;
    const { waiting: _, ...view } = run.run;
    const now = (await suspended.find(user, view.runId))?.revision ?? revision;
    if (!(await suspended.remove(user, view.runId, now))) return;
    for (const call of run.calls) parts.onAnswered(run, call);
    await records.note({ user, runId: view.runId }, { ...view, state: 'ended', outcome: 'cancelled', reason: EXPIRED });
  }

  return {
    answer,
    expire,
    isResuming,
    resumed: (runId) => attempts.get(runId),
    async find(who, id) {
      const found = await answerable.find(who, runOfApproval(id));
      if (!found) return undefined;
      const { run } = open(found);
      const call = run.calls.find((one) => one.id === id && !Object.hasOwn(run.answers, one.key));
      return call && run.resuming === undefined ? shown(run, call) : undefined;
    },
    async list(who) {
      const runs = (await answerable.list(who)).map((found) => open(found).run);
      const waiting = runs.filter(({ resuming }) => resuming === undefined);
      return waiting
        .flatMap((run) => run.calls.flatMap((call) => (Object.hasOwn(run.answers, call.key) ? [] : [shown(run, call)])))
        .sort((a, b) => Date.parse(b.suspendedAt) - Date.parse(a.suspendedAt));
    },
  };
}

/** The name for an answer after expiry. */
const NOBODY = 'hookline';
const EXPIRED = 'The approval timed out.';

function errorOf({ code = '', message }: ErrorInfo): Error {
  const again = `The run could not be resumed; its calls are pending again. ${message}`;
  return Object.hasOwn(errorCodes, code) ? new HooklineError(code as ErrorCode, again) : refuse(409, again);
}

export function unknownApproval(id: string): Error {
  return refuse(404, `There is no approval ${JSON.stringify(id)}. GET /api/approvals lists the pending ones.`);
}
