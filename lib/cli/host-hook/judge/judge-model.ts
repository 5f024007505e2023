import { EMPTY, filter, firstValueFrom, lastValueFrom, of, tap } from 'rxjs';
import { assistantMessage, systemMessage, textOf, userMessage } from '../../../events/parts/messages.ts';
import type { LoopRun } from '../../../loops/loop-run.ts';
import type { AnswerMoment, RequestMoment, Verdict } from './host-moment.ts';

const messageOf = { user: userMessage, assistant: assistantMessage, system: systemMessage } as const;

/** Passes a model request to preReasoning. Changed texts are returned by their positions; messages that hooks add cannot be. */
export async function judgeRequest({ run }: LoopRun, { messages: asked }: RequestMoment): Promise<Verdict> {
  const messages = asked.map(({ role, text }) => messageOf[role](text));
  const events$ = run.reason({ messages }, () => EMPTY).pipe(filter((event) => event.type === 'preReasoning'));
  const event = await firstValueFrom(events$, { defaultValue: undefined });
  if (run.fatal !== undefined) throw run.fatal;
  const { decision } = event ?? {};
  if (decision?.action === 'abort') return { refused: decision.reason };
  if (decision?.action === 'respond')
    return { refused: `A hook responded instead of the model: ${textOf(decision.message)}` };
  if (!event) return {};
  const texts = event.messages.filter(({ origin }) => origin === undefined).map(textOf);
  if (texts.length !== messages.length)
    return { refused: 'A hook added or removed messages of the request, which this host does not support.' };
  const changed = texts.some((text, at) => text !== asked[at]?.text);
  const added = event.messages.length > messages.length ? { lost: 'messages added to a model request' } : {};
  return { ...(changed && { texts }), ...added };
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
