import { firstValueFrom, from, isObservable, type Observable, race } from 'rxjs';
import type { Answer, Answers, PendingCall } from '../../agent/suspend/snapshot.ts';
import {
  type AskFunction,
  askTerminal,
  type DangerousConfirmationOptions,
  type Answer as FirstAnswer,
  type Inbox,
} from '../../hooks/index.ts';
import { hasTerminal } from '../terminal/has-terminal.ts';
import { pendingPrompt } from '../terminal/pending-prompt.ts';

export const approvals = ['ask', 'yes', 'no'] as const;

/** Who answers the questions of approvers. */
export interface Approval {
  /** How dangerous-confirmation asks. */
  readonly ask: NonNullable<DangerousConfirmationOptions['ask']>;
  /** Answers the calls that a run was suspended for; nothing where nobody can be asked. */
  answer(
    calls: readonly (PendingCall & { readonly agent: string })[],
    signal: AbortSignal,
  ): Promise<Answers | undefined>;
}

/**
 * Makes what `--approve` says. Without it the terminal is asked where somebody sees it, and the answer is no elsewhere. A terminal that
 * was asked for and is not there leaves runs suspended.
 */
export function createApproval(wanted: (typeof approvals)[number] | undefined, inbox?: Inbox): Approval {
  const watched = process.stdout.isTTY || process.stderr.isTTY;
  const how = wanted ?? (inbox || (watched && hasTerminal()) ? 'ask' : 'no');
  if (how === 'yes') return always({ approved: true });
  if (how === 'no') {
    const why = wanted === 'no' ? '--approve no answers every question' : 'there is no terminal to ask on';
    return always({ approved: false, reason: `nobody was asked: ${why}` });
  }
  if (!hasTerminal()) return { ask: inbox?.ask ?? 'suspend', answer: async () => undefined };
  return {
    ask: inbox ? eitherOf(inbox.ask) : 'terminal',
    async answer(calls, signal) {
      const answers: Record<string, Answer> = {};
      for (const call of calls) {
        const given = await askOnTerminal(pendingPrompt(call), signal);
        if (signal.aborted) return undefined;
        answers[call.key] = given;
      }
      return answers;
    },
  };
}

/** Whoever answers first, on the terminal or elsewhere; the other question is withdrawn. */
function eitherOf(other: AskFunction): AskFunction {
  return (question, asking) => race(askTerminal(question, asking), observableOf(other(question, asking)));
}

function observableOf(given: ReturnType<AskFunction>): Observable<FirstAnswer> {
  return isObservable(given) ? given : from(Promise.resolve(given));
}

function always(answer: { readonly approved: true } | { readonly approved: false; readonly reason: string }): Approval {
  return {
    ask: () => answer.approved || answer,
    answer: async (calls) => Object.fromEntries(calls.map(({ key }) => [key, answer])),
  };
}

async function askOnTerminal(prompt: string, signal: AbortSignal): Promise<Answer> {
  // It shows the prompt and nothing else of the question.
  const given = askTerminal({ prompt } as Parameters<AskFunction>[0], { signal });
  const answer = await (isObservable(given) ? firstValueFrom(given, { defaultValue: false }) : given);
  if (answer === true) return { approved: true };
  return { approved: false, reason: (typeof answer === 'object' && answer.reason) || 'the user declined' };
}
