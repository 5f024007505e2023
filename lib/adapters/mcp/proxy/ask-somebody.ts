import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HeldCall } from '../../../loops/held/held-call.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import { answerFrom, isStateless, showsForms } from './ask-client.ts';
import type { Asked } from './asked.ts';
import type { CallUnderWay } from './call-under-way.ts';
import type { RpcId, RpcMessage } from './json-rpc.ts';
import { ASK_TIMEOUT_MS, type SessionOptions } from './session-options.ts';

/** Asks about held calls: the client, where it shows forms, and the host, where it can be asked. */
export function createAsking(
  { ask: host, askTimeoutMs = ASK_TIMEOUT_MS }: Pick<SessionOptions, 'ask' | 'askTimeoutMs'>,
  client: Asked,
  newId: () => string,
) {
  return firstAnswer;

  /** Of the client and the host, whoever answers first. */
  async function firstAnswer({ id, request, capabilities, stop }: CallUnderWay, held: HeldCall, form: JsonObject) {
    const over = new AbortController();
    const signal = AbortSignal.any([stop.signal, over.signal]);
    const asksClient = !isStateless(request) && showsForms(request, capabilities);
    const asked = [
      ...(asksClient ? [askNow(id, held, form, signal)] : []),
      ...(host ? [askHost(host, held, signal)] : []),
    ];
    return Promise.race(asked).finally(() => over.abort());
  }

  async function askHost(ask: NonNullable<typeof host>, held: HeldCall, signal: AbortSignal): Promise<HostAnswer> {
    const late = AbortSignal.timeout(askTimeoutMs);
    const nobody = (reason: string): HostAnswer => ({ approved: false, reason, held });
    try {
      const { approved, reason } = await ask(held, AbortSignal.any([signal, late]));
      if (approved === true) return { approved, held };
      return nobody(reason ?? (late.aborted ? 'nobody answered in time' : 'the user declined'));
    } catch (thrown) {
      signal.throwIfAborted();
      return nobody(late.aborted ? 'nobody answered in time' : `nobody could be asked: ${messageOf(thrown)}`);
    }
  }

  async function askNow(id: RpcId, held: HeldCall, params: JsonObject, signal: AbortSignal): Promise<HostAnswer> {
    const timeout = AbortSignal.timeout(askTimeoutMs);
    const asked: RpcMessage & { id: RpcId } = { jsonrpc: '2.0', id: newId(), method: 'elicitation/create', params };
    try {
      const { message } = await client.ask(asked, id, signal, timeout);
      return answerFrom(message.result, held);
    } catch (thrown) {
      signal.throwIfAborted();
      const reason = timeout.aborted ? 'nobody answered in time' : `nobody could be asked: ${messageOf(thrown)}`;
      return { approved: false, reason, held };
    }
  }
}
