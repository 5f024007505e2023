import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Answers } from '../../agent/snapshot.ts';
import { type ErrorCode, errorCodes, HooklineError } from '../../errors.ts';
import type { ErrorInfo } from '../../events/error-info.ts';
import type { RunRecords } from '../records/run-records.ts';
import { refuse } from '../refuse.ts';
import type { AnswerBody } from './answer-body.ts';
import { type Approval, approvalsOf, runOfApproval } from './approval.ts';
import { type GivenAnswer, isAnswered, isBeingResumed, type SuspendedRun } from './suspended-run.ts';
import type { Found, SuspendedRuns } from './suspended-runs.ts';
import type { TrackedRun } from './tracked-run.ts';

/** What has come of an answer. */
export type AnswerOutcome =
  /** Kept; other calls of the run still wait. */
  | { readonly status: 'recorded'; readonly runId: string; readonly waiting: number }
  /** The run goes on as another one. */
  | { readonly status: 'resumed'; readonly runId: string; readonly resumedBy: string }
  /** Somebody was faster. */
  | { readonly status: 'answered'; readonly winner: GivenAnswer }
  /** The call is another one than the answer is for. */
  | { readonly status: 'changed'; readonly current: Approval };

export interface Answering {
  /** The calls that wait, the newest first. */
  list(user: string): Promise<readonly Approval[]>;
  /** An unknown approval is refused (404). A run that cannot be resumed fails with why; all of its calls wait again then. */
  answer(user: string, id: string, body: AnswerBody): Promise<AnswerOutcome>;
}

export interface AnsweringParts {
  readonly suspended: SuspendedRuns;
  readonly records: Pick<RunRecords, 'winner' | 'note'>;
  /** After this many milliseconds a run that has begun counts as resumed, although it has done nothing yet. */
  readonly patienceMs: number;
  /** After this many milliseconds a server that is resuming a run counts as gone. */
  readonly goneMs: number;
  /** Throws where no run may begin in that session now. */
  readonly admit: (user: string, run: SuspendedRun) => void;
  readonly resume: (user: string, run: SuspendedRun, answers: Answers) => TrackedRun;
  /** Told when a run goes on as another. */
  readonly onResumed: (user: string, runId: string, resumedBy: string) => void;
  readonly log: Logger | undefined;
}

/** Takes answers to suspended calls, and resumes a run when the last one is there. */
export function createAnswering(parts: AnsweringParts): Answering {
  const { suspended, records, log } = parts;

  /** Answers that count: none, where the server that was resuming the run is gone. */
  function open({ run, revision }: Found): Found {
    if (run.resuming === undefined || isBeingResumed(run, parts.goneMs)) return { run, revision };
    const message = 'The server that resumed the run has gone; whether its calls have run is not known.';
    return { revision, run: waitingAgain(run, { code: 'RUN_INTERRUPTED', message }) };
  }

  async function answer(user: string, id: string, body: AnswerBody): Promise<AnswerOutcome> {
    const runId = runOfApproval(id);
    const found = await suspended.find(user, runId);
    if (!found) return late(user, runId, id);
    const { run, revision } = open(found);
    const approval = approvalsOf(run).find((one) => one.id === id);
    if (!approval) throw unknown(id);
    const winner = run.answers[approval.key];
    if (winner) return { status: 'answered', winner };
    if (approval.hash !== body.hash) return { status: 'changed', current: shown(approval) };
    const { action, reason } = body;
    const input = body.action === 'approve' ? body.input : undefined;
    const given: GivenAnswer = {
      action,
      by: user,
      at: new Date().toISOString(),
      ...(reason !== undefined && { reason }),
      ...(input !== undefined && { input }),
    };
    const answers = { ...run.answers, [approval.key]: given };
    const complete = isAnswered(run, answers);
    if (complete) parts.admit(user, run);
    const next = { ...run, answers, ...(complete && { resuming: given.at }) };
    const written = await suspended.write(user, next, revision);
    // Somebody has answered meanwhile, or another call of the run.
    if (written === false) return answer(user, id, body);
    if (complete) return resume(user, next, written);
    return { status: 'recorded', runId, waiting: approvalsOf(next).length - Object.keys(answers).length };
  }

  async function late(user: string, runId: string, id: string): Promise<AnswerOutcome> {
    const winner = await records.winner({ user, runId }, id);
    if (winner) return { status: 'answered', winner };
    throw unknown(id);
  }

  /** The run is ours: nobody else has got to this revision. */
  async function resume(user: string, run: SuspendedRun, revision: number): Promise<AnswerOutcome> {
    const { runId } = run.run;
    let tracked: TrackedRun;
    try {
      parts.admit(user, run);
      tracked = parts.resume(user, run, answersOf(run));
      await tracked.begun;
      const failure = await Promise.race([tracked.acted, sleep(parts.patienceMs, undefined, { ref: false })]);
      if (failure) throw errorOf(failure);
    } catch (thrown) {
      log?.warn({ err: thrown, runId }, 'a suspended run could not be resumed; its calls wait again');
      const { code = 'RUN_FAILED', message } = thrown as { code?: string; message: string };
      await suspended.write(user, waitingAgain(run, { code, message }), revision);
      throw thrown;
    }
    const { runId: resumedBy } = await tracked.begun;
    parts.onResumed(user, runId, resumedBy);
    const byApproval = approvalsOf(run).map(({ id, key }) => [id, run.answers[key] as GivenAnswer]);
    // Before it is taken away: whoever comes too late is told who was first.
    const { waiting: _, ...view } = run.run;
    await records.note({ user, runId }, { ...view, state: 'ended', resumedBy }, Object.fromEntries(byApproval));
    try {
      await suspended.remove(user, runId, revision);
    } catch (err) {
      // It goes on all the same, and the document says that it is being resumed.
      log?.error({ err, runId }, 'a resumed run could not be taken out of the store');
    }
    return { status: 'resumed', runId, resumedBy };
  }

  return {
    answer,
    async list(user) {
      const runs = (await suspended.list(user)).map((found) => open(found).run);
      const waiting = runs.filter(({ resuming }) => resuming === undefined);
      return waiting
        .flatMap((run) => approvalsOf(run).filter(({ key }) => !Object.hasOwn(run.answers, key)))
        .map(shown)
        .sort((a, b) => Date.parse(b.suspendedAt) - Date.parse(a.suspendedAt));
    },
  };
}

/** A run as it was before anybody has answered, and why it did not work. */
function waitingAgain(
  { resuming, answers, ...run }: SuspendedRun,
  why: { code: string; message: string },
): SuspendedRun {
  return { ...run, answers: {}, fault: { ...why, at: new Date().toISOString() } };
}

function answersOf({ answers }: SuspendedRun): Answers {
  const entries = Object.entries(answers).map(([key, { action, reason, input }]) => [
    key,
    { approved: action === 'approve', ...(reason !== undefined && { reason }), ...(input !== undefined && { input }) },
  ]);
  return Object.fromEntries(entries);
}

function shown({ key, ...approval }: Approval & { readonly key: string }): Approval {
  return approval;
}

function errorOf({ code = '', message }: ErrorInfo): Error {
  const again = `The run could not be resumed, and its calls wait again: ${message}`;
  return Object.hasOwn(errorCodes, code) ? new HooklineError(code as ErrorCode, again) : refuse(409, again);
}

function unknown(id: string): Error {
  return refuse(404, `There is no approval ${JSON.stringify(id)}. GET /api/approvals lists those that wait.`);
}
