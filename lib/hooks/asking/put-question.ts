import { defaultIfEmpty, defer, finalize, from, map, type Observable, of, take, tap, timeout } from 'rxjs';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { isAsync } from '../../events/values/is-async.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { Answer, AskFunction, Asking, Question, Remember } from './ask-function.ts';

/** What came of a question. */
export type Asked =
  | { readonly approved: true; readonly remember?: Remember; readonly note?: NoteInput }
  | { readonly approved: false; readonly reason: string; readonly note?: NoteInput };

/** How a question is put. */
export interface Putting extends Pick<Asking, 'by' | 'timeoutMs'> {
  readonly ask: AskFunction;
  readonly question: Question;
  /** The frozen call that is judged: of several approvers that would ask the same about it, only the first does. */
  readonly call: ToolCall;
  readonly context: HookContext;
}

/** Who has said yes to a call; they are not asked again by the next approver. */
const yeses = new WeakMap<ToolCall, Map<AskFunction, Asked>>();

/** Puts a question, and gives one answer. Whoever asks withdraws the question when its time is up or nobody waits for it any more. */
export function putQuestion({ ask, question, call, by, timeoutMs, context }: Putting): Observable<Asked> {
  return defer(() => {
    const yes = yeses.get(call)?.get(ask);
    if (yes) return of(yes);
    const unanswered = new AbortController();
    let answered = false;
    const signal = AbortSignal.any([context.signal, unanswered.signal]);
    return observableOf(ask(question, { signal, call, by, timeoutMs })).pipe(
      take(1),
      defaultIfEmpty(false),
      map((answer) => read(answer, question)),
      tap((asked) => {
        answered = true;
        if (asked.approved) yeses.set(call, (yeses.get(call) ?? new Map()).set(ask, { approved: true }));
      }),
      timeout({
        first: timeoutMs,
        scheduler: context.scheduler,
        with: () => of({ approved: false as const, reason: `the user did not answer within ${timeoutMs / 1_000} s` }),
      }),
      finalize(() => answered || unanswered.abort()),
    );
  });
}

function read(answer: Answer, { remembers = [] }: Question): Asked {
  if (answer === true) return { approved: true };
  if (typeof answer !== 'object' || answer === null) return { approved: false, reason: 'the user declined' };
  const { approved, reason, remember } = answer;
  const told = noteOf(answer);
  if (approved !== true) return { approved: false, reason: reason || 'the user declined', ...told };
  return { approved, ...(remember !== undefined && remembers.includes(remember) && { remember }), ...told };
}

/** Who has said it: whoever looks at the run later is told. */
function noteOf({ approved, by, at }: Exclude<Answer, boolean>): { readonly note: NoteInput } | undefined {
  if (by === undefined) return undefined;
  const action = approved === true ? 'approve' : 'deny';
  const message = `${approved === true ? 'Approved' : 'Denied'} by ${by}.`;
  return { note: { code: 'answered', message, data: { action, by, ...(at !== undefined && { at }) } } };
}

function observableOf(given: ReturnType<AskFunction>): Observable<Answer> {
  return isAsync(given) ? from(given) : of(given);
}
