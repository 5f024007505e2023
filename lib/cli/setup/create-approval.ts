import { firstValueFrom, from, ignoreElements, isObservable, merge, type Observable, take, tap } from 'rxjs';
import type { Answer, PendingCall } from '../../agent/suspend/snapshot.ts';
import { atTerminal } from '../../hooks/asking/asker.ts';
import {
  type AskFunction,
  askTerminal,
  type DangerousConfirmationOptions,
  type Answer as FirstAnswer,
  type Inbox,
  type InboxCall,
} from '../../hooks/index.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { hasTerminal } from '../terminal/has-terminal.ts';
import { pendingPrompt } from '../terminal/pending-prompt.ts';

export const approvals = ['ask', 'yes', 'no'] as const;

/** Answers to approval prompts. */
export interface Approval {
  /** How dangerous-confirmation asks. */
  readonly ask: NonNullable<DangerousConfirmationOptions['askBy']>;
  /** Answers a pending call of a suspended run. Resolves with `undefined` if there is no approver or the answer is no longer needed. */
  answer(call: SuspendedCall, signal: AbortSignal): Promise<Answer | undefined>;
}

export type SuspendedCall = PendingCall & { readonly agent: string };

/** Prints an answer of the page on the terminal. */
export function printAnswered(action: 'approve' | 'deny', by: string, edited: boolean): void {
  const what = action === 'deny' ? 'Denied' : `Approved${edited ? ' with edited arguments' : ''}`;
  process.stderr.write(`${what} in the web UI by ${harmlessText(by)}.\n`);
}

/**
 * Creates the approval of `--approve`. By default the terminal asks if a user sees it, and otherwise calls are denied. With `ask` and without a
 * terminal, runs are suspended.
 */
export function createApproval(wanted: (typeof approvals)[number] | undefined, inbox?: Inbox): Approval {
  const watched = process.stdout.isTTY || process.stderr.isTTY;
  const how = wanted ?? (inbox || (watched && hasTerminal()) ? 'ask' : 'no');
  if (how === 'yes') return always({ approved: true });
  if (how === 'no') {
    const why = wanted === 'no' ? '--approve no denies every prompt' : 'there is no terminal';
    return always({ approved: false, reason: `no approver available: ${why}` });
  }
  if (!hasTerminal()) return { ask: inbox?.ask ?? 'suspend', answer: async () => undefined };
  return { ask: inbox ? eitherOf(inbox) : 'terminal', answer: askOnTerminal };
}

/** Asks on the terminal and in the inbox at once. The inbox determines the first answer, so that the other place is informed. */
function eitherOf(inbox: Inbox): AskFunction {
  return (question, asking) => {
    const by = atTerminal();
    const isIt = (call: InboxCall) =>
      call.run.runId === question.run.runId && call.toolCallId === asking.call.id && call.by === asking.by;
    const typed$ = askTerminal(question, asking).pipe(
      tap((answer) => {
        const call = inbox.list().find(isIt);
        const { approved, ...details } = typeof answer === 'object' ? answer : { approved: answer };
        if (call) inbox.answer(call.id, { ...details, action: approved ? 'approve' : 'deny', by, hash: call.hash });
      }),
      ignoreElements(),
    );
    return merge(observableOf(inbox.ask(question, asking)), typed$).pipe(
      take(1),
      tap((answer) => {
        if (typeof answer !== 'object' || answer.by === undefined || answer.by === by) return;
        printAnswered(answer.approved ? 'approve' : 'deny', answer.by, answer.input !== undefined);
      }),
    );
  };
}

function observableOf(given: ReturnType<AskFunction>): Observable<FirstAnswer> {
  return isObservable(given) ? given : from(Promise.resolve(given));
}

function always(answer: { readonly approved: true } | { readonly approved: false; readonly reason: string }): Approval {
  return { ask: () => answer.approved || answer, answer: async () => answer };
}

async function askOnTerminal(call: SuspendedCall, signal: AbortSignal): Promise<Answer | undefined> {
  // It shows only the prompt of the question.
  const given = askTerminal({ prompt: pendingPrompt(call) } as Parameters<AskFunction>[0], { signal });
  const answer = await firstValueFrom(given, { defaultValue: false });
  if (signal.aborted) return undefined;
  if (answer === true) return { approved: true };
  if (typeof answer === 'object' && answer.approved)
    return { approved: true, ...(answer.input && { input: answer.input }) };
  return { approved: false, reason: (typeof answer === 'object' && answer.reason) || 'the user declined' };
}
