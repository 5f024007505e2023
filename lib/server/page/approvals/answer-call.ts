import type { AnswerBody } from '../../approvals/answer-body.ts';
import type { Approval } from '../../approvals/approval.ts';
import { type Given, me, noteAnswer, takeCurrent } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';

interface Conflict {
  readonly winner?: Given;
  readonly current?: Approval;
}

/** Answers for the call exactly as shown. Returns the error, if any. If another answer was first, this is noted on the call. */
export async function answerCall(approval: Approval, body: Omit<AnswerBody, 'hash'>): Promise<string> {
  const path = `/api/approvals/${encodeURIComponent(approval.id)}`;
  const { ok, status, body: conflict, error } = await callApi<Conflict>('POST', path, { ...body, hash: approval.hash });
  if (ok) {
    const { action, reason } = body;
    noteAnswer(approval.id, {
      action,
      ...(reason !== undefined && { reason }),
      ...(me.value && { by: me.value.user }),
    });
    return '';
  }
  if (status === 409 && conflict?.winner) {
    noteAnswer(approval.id, conflict.winner);
    return '';
  }
  if (status === 409 && conflict?.current) {
    takeCurrent(conflict.current);
    return 'The call has changed since it was shown. Review it again.';
  }
  if (status === 404) {
    noteAnswer(approval.id, {});
    return '';
  }
  return error;
}
