import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Plan } from '../../../pipeline/define/plan.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import { redactText } from '../../../pipeline/trace/redact-text.ts';
import type { Read, RpcMessage } from './json-rpc.ts';
import { redactError, redactNotice, redactPart } from './redact-part.ts';

/** Takes out of messages what the redacting hooks of a session find. Gives the same value where they find nothing. */
export interface Cleaning {
  text(text: string): string;
  part<T extends JsonObject | undefined>(part: T): T;
  /** The params of a notification. */
  notice<T extends JsonObject | undefined>(params: T): T;
  /** Of a reply its result and its error: of one that has both, a reader may take either. */
  reply(message: RpcMessage): RpcMessage;
  /** What a client has answered to questions of the server, within the params of a request. */
  answers(params: JsonObject | undefined): JsonObject | undefined;
}

export function createCleaning(scope: { readonly plan: Plan; readonly log: Logger }): Cleaning {
  const redacts = scope.plan.redactors.length > 0;
  const text = (given: string): string => redactText(scope, given);
  return {
    text,
    part: (part) => (part && redacts ? (redactPart(part, text) as typeof part) : part),
    notice: (params) => (params && redacts ? (redactNotice(params, text) as typeof params) : params),
    reply(message) {
      if (!redacts) return message;
      const result = message.result && redactPart(message.result, text);
      const error = message.error && redactError(message.error, text);
      if (result === message.result && error === message.error) return message;
      return { ...message, ...(result && { result }), ...(error && { error }) };
    },
    answers(params) {
      const { inputResponses } = params ?? {};
      if (inputResponses === undefined || !redacts) return params;
      const clean = redactPart({ inputResponses }, text)['inputResponses'] as JsonObject;
      return clean === inputResponses ? params : { ...params, inputResponses: clean };
    },
  };
}

/** Passes a message on, as it came unless a part of it is another one. */
export function passPart(
  send: (text: string) => void,
  { text, message }: Read,
  part: 'params' | 'result',
  given: JsonObject | undefined,
): void {
  send(given === message[part] ? text : JSON.stringify({ ...message, [part]: given }));
}
