import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../../loops/pending/pending-call-record.ts';
import { answerFrom, isStateless, showsForms } from './ask-client.ts';
import type { CallUnderWay } from './call-under-way.ts';
import type { RpcId, RpcMessage } from './json-rpc.ts';
import type { PendingRequests } from './pending-requests.ts';
import { ASK_TIMEOUT_MS, type SessionOptions } from './session-options.ts';

/** Asks for approval of pending calls: the client if it shows forms, and the host if `ask` is set. */
export function createAsking(
  { ask: host, askTimeoutMs = ASK_TIMEOUT_MS }: Pick<SessionOptions, 'ask' | 'askTimeoutMs'>,
  client: PendingRequests,
  newId: () => string,
) {
  return firstAnswer;

  /** Returns the first answer, from the client or the host. */
  async function firstAnswer(
    { id, request, capabilities, stop }: CallUnderWay,
    pending: PendingCallRecord,
    form: JsonObject,
  ) {
    const over = new AbortController();
    const signal = AbortSignal.any([stop.signal, over.signal]);
    const asksClient = !isStateless(request) && showsForms(request, capabilities);
    const asked = [
      ...(asksClient ? [askNow(id, pending, form, signal)] : []),
      ...(host ? [askHost(host, pending, signal)] : []),
    ];
    return Promise.race(asked).finally(() => over.abort());
  }

  async function askHost(
    ask: NonNullable<typeof host>,
    pending: PendingCallRecord,
    signal: AbortSignal,
  ): Promise<HostAnswer> {
    const late = AbortSignal.timeout(askTimeoutMs);
    const denied = (reason: string): HostAnswer => ({ approved: false, reason, pending });
    try {
      const { approved, reason } = await ask(pending, AbortSignal.any([signal, late]));
      if (approved === true) return { approved, pending };
      return denied(reason ?? (late.aborted ? 'the approval timed out' : 'the user declined'));
    } catch (thrown) {
      signal.throwIfAborted();
      return denied(late.aborted ? 'the approval timed out' : `the approval prompt failed: ${messageOf(thrown)}`);
    }
  }

  async function askNow(
    id: RpcId,
    pending: PendingCallRecord,
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<HostAnswer> {
    const timeout = AbortSignal.timeout(askTimeoutMs);
    const asked: RpcMessage & { id: RpcId } = { jsonrpc: '2.0', id: newId(), method: 'elicitation/create', params };
    try {
      const { message } = await client.ask(asked, id, signal, timeout);
      return answerFrom(message.result, pending);
    } catch (thrown) {
      signal.throwIfAborted();
      const reason = timeout.aborted ? 'the approval timed out' : `the approval prompt failed: ${messageOf(thrown)}`;
      return { approved: false, reason, pending };
    }
  }
}
