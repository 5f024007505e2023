import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HeldCall } from '../../../loops/held/held-call.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import type { RpcMessage } from './json-rpc.ts';

/** Characters of a call that somebody can be expected to read before saying yes. */
const MAX_SHOWN = 20_000;

/** What a client is asked about a held call: the prompt, and the call as it would run. */
export function question({ call }: HeldCall, redact: (text: string) => string): JsonObject | undefined {
  const { prompt, judged } = call;
  const input = JSON.stringify(judged.input, null, 2);
  if (input.length > MAX_SHOWN) return undefined;
  const approve = { type: 'boolean', title: 'Approve', description: `Run ${judged.name} with these arguments` };
  return {
    message: redact(`${prompt}\n\n${judged.name}\n${input}`),
    requestedSchema: { type: 'object', properties: { approve }, required: ['approve'] },
  };
}

/** What an answer to `question` says: only an accepted form that says yes is a yes. */
export function answerFrom(said: JsonObject | undefined, held: HeldCall): HostAnswer {
  const { action, content } = (said ?? {}) as { action?: unknown; content?: { approve?: unknown } };
  if (action === 'accept' && content?.approve === true) return { approved: true, held };
  const reason = action === 'cancel' ? 'the user gave no answer' : 'the user declined';
  return { approved: false, reason, held };
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Whether a request is of the protocol without sessions, where each says what its client can. */
export function isStateless({ params }: RpcMessage): boolean {
  return metaOf(params)?.[VERSION] !== undefined;
}

/** Whether forms can be shown, by what a client says of itself: in the request, or when the session began. */
export function showsForms({ params }: RpcMessage, session: JsonObject | undefined): boolean {
  const told = (metaOf(params)?.[CAPABILITIES] as JsonObject | undefined) ?? session;
  const forms = told?.['elicitation'] as JsonObject | undefined;
  return forms !== undefined && (forms['form'] !== undefined || forms['url'] === undefined);
}

export function metaOf(params: JsonObject | undefined): JsonObject | undefined {
  return params?.['_meta'] as JsonObject | undefined;
}
