import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { filter, firstValueFrom, fromEvent, map, merge, type Observable, take } from 'rxjs';
import { type Answers, pendingCalls } from '../../agent/suspend/snapshot.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { atTerminal } from '../../hooks/asking/asker.ts';
import { approvalId } from '../../server/approvals/suspend-run.ts';
import type { Runs } from '../../server/index.ts';
import type { Approval } from '../setup/create-approval.ts';

/** Input for the resumption of a suspended run. */
export interface Resumption {
  readonly snapshot: JsonObject;
  readonly answers: Answers;
}

/** A page that can answer approval prompts. */
export interface AnsweringPage {
  readonly runs: Runs;
  /** Owner of the runs. */
  readonly user: string;
  /** Approvals that were answered on the page. */
  readonly answered$: Observable<{ readonly id: string }>;
  /** Runs that were cancelled on the page. */
  readonly givenUp$: Observable<string>;
  /** Input for the resumption of the suspended run, whoever answered. */
  readonly resumed$: Observable<Resumption>;
  readonly log: Logger;
}

/**
 * Waits until all pending calls of a suspended run are answered, here or on its page. The first answer to each call wins. Resolves with `undefined`
 * if the run is cancelled.
 */
export async function answerSuspended(
  page: AnsweringPage,
  runId: string,
  snapshot: JsonObject,
  approval: Approval,
  signal: AbortSignal,
): Promise<Resumption | undefined> {
  const { runs, user, log } = page;
  // The run is stored after its last event.
  while ((await runs.find(user, runId)).state === 'running') await setImmediate();
  if (signal.aborted) return undefined;
  const givenUp$ = merge(page.givenUp$.pipe(filter((id) => id === runId)), fromEvent(signal, 'abort'));
  const over = new AbortController();
  const ending = firstValueFrom(merge(page.resumed$, givenUp$.pipe(map(() => undefined))).pipe(take(1)));
  ask().catch((err: unknown) => log.error({ err, runId }, 'an answer from the terminal could not be applied'));
  try {
    return await ending;
  } finally {
    over.abort();
  }

  async function ask(): Promise<void> {
    const who = { user: atTerminal(), approvesFor: '*' } as const;
    for (const call of pendingCalls(snapshot)) {
      const id = approvalId(runId, call.key);
      const elsewhere = new AbortController();
      const listening = page.answered$.pipe(filter((one) => one.id === id)).subscribe(() => elsewhere.abort());
      const waiting = (await runs.approvals(who)).find((one) => one.id === id);
      const given = waiting && (await approval.answer(call, AbortSignal.any([over.signal, elsewhere.signal])));
      listening.unsubscribe();
      if (!waiting || !given) continue;
      const { approved, reason } = given;
      const body = { hash: waiting.hash, ...(reason !== undefined && { reason }) };
      await runs.answer(who, id, { action: approved ? 'approve' : 'deny', ...body });
    }
  }
}
