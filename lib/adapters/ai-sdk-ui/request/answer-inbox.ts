import { z } from 'zod';
import type { Chat } from '../../../chat/chat.ts';
import type { Caller } from '../../../chat/chat-options.ts';
import { type Refusal, refuse } from '../../../chat/refusal.ts';
import { jsonObjectSchema } from '../../../events/values/json-value.ts';
import type { Inbox, InboxCall } from '../../../hooks/asking/inbox.ts';

const bodySchema = z.strictObject({
  id: z.string(),
  /** The hash of the call that was shown. */
  hash: z.string(),
  approved: z.boolean(),
  reason: z.string().optional(),
  /** For an approval: the edited input. */
  input: jsonObjectSchema.optional(),
});

/** Answers a pending call of the caller inside a running run. The first answer counts. A later one gets 409 with the user of the first. */
export async function answerInbox(
  inbox: Pick<Inbox, 'list' | 'answer'>,
  chat: Pick<Chat, 'checkEdit'>,
  caller: Caller,
  json: unknown,
): Promise<Response | Refusal> {
  const { userId } = caller;
  const parsed = bodySchema.safeParse(json);
  if (!parsed.success)
    return refuse(400, 'BODY_INVALID', `The request body is invalid: ${z.prettifyError(parsed.error)}`);
  const { id, hash, approved, reason, input } = parsed.data;
  const waiting = inbox.list().find((call) => call.id === id);
  const unknown = refuse(404, 'ANSWER_UNKNOWN', `You have no pending call with the ID ${JSON.stringify(id)}.`);
  if (waiting && waiting.run.userId !== userId) return unknown;
  const invalid = waiting?.hash === hash && approved && input && (await chat.checkEdit(caller, callOf(waiting), input));
  if (invalid) return invalid;
  const action = approved ? 'approve' : 'deny';
  const more = { ...(reason !== undefined && { reason }), ...(approved && input && { input }) };
  const outcome = inbox.answer(id, { action, by: userId, hash, ...more });
  if (outcome.status === 'unknown' || outcome.call.run.userId !== userId) return unknown;
  if (outcome.status === 'accepted') return Response.json({ status: 'accepted' });
  if (outcome.status === 'changed') {
    const what = 'The call has changed since it was shown. Review it again.';
    return refuse(409, 'ANSWER_CHANGED', what);
  }
  const { by, action: first, at } = outcome.winner;
  return refuse(409, 'ANSWERED', `The call was already answered: ${first} by "${by}" at ${at}.`);
}

function callOf({ run, toolCallId, tool, input }: InboxCall): Parameters<Chat['checkEdit']>[1] {
  return { agent: run.agent, toolCallId, tool, input };
}
