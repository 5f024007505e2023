import { filter, firstValueFrom, lastValueFrom, merge, NEVER, of, Subject, tap } from 'rxjs';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { assistantMessage, systemMessage, textOf, userMessage } from '../../../events/parts/messages.ts';
import type { LoopRun } from '../../../loops/loop-run.ts';
import type { Model } from '../../../pipeline/define/model.ts';
import type { AnswerMoment, RequestMoment, Verdict } from './host-moment.ts';

const messageOf = { user: userMessage, assistant: assistantMessage, system: systemMessage } as const;

/** Passes a model request to preReasoning. Changed texts are returned by their positions, and messages that hooks add after them. */
export async function judgeRequest({ run }: LoopRun, { messages: asked }: RequestMoment): Promise<Verdict> {
  const messages = asked.map(({ role, text }) => messageOf[role](text));
  const asks = new Subject<readonly Message[]>();
  // The host asks the model itself: the run ends where its model would be called.
  const model: Model = ({ messages: sent }) => {
    asks.next(sent);
    return NEVER;
  };
  const events$ = run.reason({ messages }, model).pipe(
    filter((event) => event.decision !== undefined),
    tap({ complete: () => asks.complete() }),
  );
  const first = await firstValueFrom(merge(asks, events$), { defaultValue: undefined });
  if (run.fatal !== undefined) throw run.fatal;
  // Without a call of the model and without a decision, nothing says that the request may be sent.
  if (!Array.isArray(first)) return { refused: reasonOf((first as SettledEvent | undefined)?.decision) };
  const sent: readonly Message[] = first;
  const texts = sent.filter(({ origin }) => origin === undefined).map(textOf);
  const added = sent.filter(({ origin }) => origin !== undefined).map(textOf);
  if (texts.length !== messages.length)
    return { refused: 'A hook added or removed messages of the request, which this host does not support.' };
  const isChanged = added.length > 0 || texts.some((text, at) => text !== asked[at]?.text);
  return isChanged ? { request: { texts, added } } : {};
}

function reasonOf(decision: SettledEvent['decision']): string {
  if (decision?.action === 'abort') return decision.reason;
  if (decision?.action === 'respond' && 'message' in decision)
    return `A hook responded instead of the model: ${textOf(decision.message)}`;
  return 'A hook did not let the model answer.';
}

/** Passes a text of the model to reasoningChunk and postReasoning. */
export async function judgeAnswer({ run }: LoopRun, { text }: AnswerMoment): Promise<Verdict> {
  let ended: string | undefined;
  const events$ = run
    .reason({ messages: [] }, () => of({ type: 'text' as const, delta: text }))
    .pipe(
      tap(({ decision }) => {
        if (decision?.action === 'abort') ended = decision.reason;
      }),
      filter((event) => event.type === 'postReasoning'),
    );
  const post = await lastValueFrom(events$, { defaultValue: undefined });
  if (ended !== undefined) return { refused: ended, ended };
  if (run.fatal !== undefined) throw run.fatal;
  const after = post && textOf(post.message);
  return after === undefined || after === text ? {} : { answer: after };
}
