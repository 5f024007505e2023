import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../../loops/pending/pending-call-record.ts';
import type { RpcMessage } from './json-rpc.ts';

/** The maximum length of a call, in characters, that a user can review. */
const MAX_SHOWN = 20_000;

/** Returns the elicitation for a pending call: the prompt, and the call as it would run. */
export function question({ call }: PendingCallRecord, redact: (text: string) => string): JsonObject | undefined {
  const { prompt, judged } = call;
  const input = JSON.stringify(judged.input, null, 2);
  if (input.length > MAX_SHOWN) return undefined;
  const approve = { type: 'boolean', title: 'Approve', description: `Run ${judged.name} with these arguments` };
  return {
    message: redact(`${prompt}\n\n${judged.name}\n${input}`),
    requestedSchema: { type: 'object', properties: { approve }, required: ['approve'] },
  };
}

/** Reads the answer to `question`. Only an accepted form with an approval approves the call. */
export function answerFrom(response: JsonObject | undefined, pending: PendingCallRecord): HostAnswer {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: { approve?: unknown } };
  if (action === 'accept' && content?.approve === true) return { approved: true, pending };
  const reason = action === 'cancel' ? 'the user did not answer' : 'the user declined';
  return { approved: false, reason, pending };
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Returns true for a request of the protocol without sessions. There, each request lists the client's capabilities. */
export function isStateless({ params }: RpcMessage): boolean {
  return metaOf(params)?.[VERSION] !== undefined;
}

/** Returns true if the client declared that it shows forms, in the request or when the session started. */
export function showsForms({ params }: RpcMessage, session: JsonObject | undefined): boolean {
  const capabilities = (metaOf(params)?.[CAPABILITIES] as JsonObject | undefined) ?? session;
  const forms = capabilities?.['elicitation'] as JsonObject | undefined;
  return forms !== undefined && (forms['form'] !== undefined || forms['url'] === undefined);
}

export function metaOf(params: JsonObject | undefined): JsonObject | undefined {
  return params?.['_meta'] as JsonObject | undefined;
}
