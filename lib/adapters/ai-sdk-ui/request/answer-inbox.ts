import { z } from 'zod';
import type { Caller } from '../../../chat/chat-options.ts';
import { refusalResponse, refuse } from '../../../chat/refusal.ts';
import { jsonObjectSchema } from '../../../events/values/json-value.ts';
import type { Inbox } from '../../../hooks/asking/inbox.ts';

const bodySchema = z.strictObject({
  id: z.string(),
  /** Of the call as it was shown. */
  hash: z.string(),
  approved: z.boolean(),
  reason: z.string().optional(),
  /** Of a yes: the arguments that the call is to have instead. */
  input: jsonObjectSchema.optional(),
});

/** Answers a call of the caller's that waits in a run which goes on. The first answer counts; a later one is told whose that was (409). */
export function answerInbox(inbox: Pick<Inbox, 'list' | 'answer'>, { userId }: Caller, json: unknown): Response {
  const parsed = bodySchema.safeParse(json);
  if (!parsed.success)
    return refusalResponse(refuse(400, 'BODY_INVALID', `The body does not fit: ${z.prettifyError(parsed.error)}`));
  const { id, hash, approved, reason, input } = parsed.data;
  const waiting = inbox.list().find((call) => call.id === id);
  const unknown = refuse(404, 'ANSWER_UNKNOWN', `No call of yours with the id ${JSON.stringify(id)} waits.`);
  if (waiting && waiting.run.userId !== userId) return refusalResponse(unknown);
  const action = approved ? 'approve' : 'deny';
  const more = { ...(reason !== undefined && { reason }), ...(approved && input && { input }) };
  const outcome = inbox.answer(id, { action, by: userId, hash, ...more });
  if (outcome.status === 'unknown' || outcome.call.run.userId !== userId) return refusalResponse(unknown);
  if (outcome.status === 'accepted') return Response.json({ status: 'accepted' });
  if (outcome.status === 'changed') {
    const what = 'The call is another one than the answer is for. Look at it again.';
    return refusalResponse(refuse(409, 'ANSWER_CHANGED', what));
  }
  const { by, action: first } = outcome.winner;
  return refusalResponse(refuse(409, 'ANSWERED', `${by} was faster: ${first}.`));
}
