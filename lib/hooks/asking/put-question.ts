import { defaultIfEmpty, defer, finalize, from, map, type Observable, of, take, tap, timeout } from 'rxjs';
import type { NoteInput } from '../../events/decisions/note.ts';
import { editOf, readInput } from '../../events/parts/edited-call.ts';
import { sameCall } from '../../events/parts/same-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { isAsync } from '../../events/values/is-async.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { countAsked } from '../../otel/run-spans.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { Answer, AskFunction, Asking, Question, Remember } from './ask-function.ts';

export type Outcome =
  | { readonly approved: true; readonly remember?: Remember; readonly input?: JsonObject; readonly note?: NoteInput }
  | { readonly approved: false; readonly reason: string; readonly note?: NoteInput };

export interface Putting extends Pick<Asking, 'by' | 'timeoutMs'> {
  readonly ask: AskFunction;
  readonly question: Question;
  /** The frozen call. If several approvers would ask the same function about it, only the first does. */
  readonly call: ToolCall;
  readonly context: HookContext;
}

/** The functions that approved each call. Later approvers do not ask them again. */
const approvals = new WeakMap<ToolCall, Set<AskFunction>>();
/** The functions that approved other arguments, by the call that they were shown. */
const edits = new WeakMap<ToolCall, Set<AskFunction>>();

/** Asks a question and emits one answer. At the timeout, or when the subscriber unsubscribes, the question is cancelled. */
export function putQuestion({ ask, question, call, by, timeoutMs, context }: Putting): Observable<Outcome> {
  return defer(() => {
    if (saidYes(call, ask)) return of<Outcome>({ approved: true });
    const unanswered = new AbortController();
    const ended = countAsked(context.run, call.name);
    let answered = false;
    const signal = AbortSignal.any([context.signal, unanswered.signal]);
    return observableOf(ask(question, { signal, call, by, timeoutMs })).pipe(
      take(1),
      defaultIfEmpty(false),
      map((answer) => read(answer, question, call)),
      tap((asked) => {
        answered = true;
        if (!asked.approved) return;
        const store = asked.input ? edits : approvals;
        store.set(call, (store.get(call) ?? new Set()).add(ask));
      }),
      timeout({
        first: timeoutMs,
        scheduler: context.scheduler,
        with: () => of({ approved: false as const, reason: `the user did not answer within ${timeoutMs / 1_000} s` }),
      }),
      finalize(() => {
        ended();
        if (!answered) unanswered.abort();
      }),
    );
  });
}

/** Returns whether an approval of `ask` applies to the frozen call: it approved this call, or arguments that the hooks left unchanged. */
function saidYes(call: ToolCall, ask: AskFunction): boolean {
  if (approvals.get(call)?.has(ask)) return true;
  const edit = editOf(call);
  return edit !== undefined && edits.get(edit.shown)?.has(ask) === true && sameCall(edit.edited, call);
}

function read(answer: Answer, { remembers = [] }: Question, call: ToolCall): Outcome {
  if (answer === true) return { approved: true };
  if (typeof answer !== 'object' || answer === null) return { approved: false, reason: 'the user declined' };
  const { approved, reason, remember, input } = answer;
  if (approved !== true) return { approved: false, reason: reason || 'the user declined', ...noteOf(answer) };
  if (input === undefined)
    return { approved, ...(remember !== undefined && remembers.includes(remember) && { remember }), ...noteOf(answer) };
  const edited = readInput(input);
  if (!edited) return { approved: false, reason: 'the edited input is not a JSON object' };
  const same = sameCall(call, { ...call, input: edited });
  return same ? { approved, ...noteOf(answer) } : { approved, input: edited, ...noteOf(answer, true) };
}

/** Returns a note that records the approver for later inspection of the run. */
function noteOf(
  { approved, by, at, reason }: Exclude<Answer, boolean>,
  edited = false,
): { readonly note: NoteInput } | undefined {
  if (by === undefined && !edited) return undefined;
  const action = approved === true ? 'approve' : 'deny';
  const message = `${approved === true ? 'Approved' : 'Denied'}${edited ? ' with edited arguments' : ''} by ${by ?? 'the user'}.`;
  const who = { ...(by !== undefined && { by }), ...(at !== undefined && { at }) };
  const more = { ...(reason !== undefined && { reason }), ...(edited && { edited }) };
  return { note: { code: 'answered', message, data: { action, ...who, ...more } } };
}

function observableOf(given: ReturnType<AskFunction>): Observable<Answer> {
  return isAsync(given) ? from(given) : of(given);
}
