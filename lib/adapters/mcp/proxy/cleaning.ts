import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Plan } from '../../../pipeline/define/plan.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import { redactText } from '../../../pipeline/trace/redact-text.ts';
import type { Read, RpcMessage } from './json-rpc.ts';
import { redactError, redactNotice, redactPart } from './redact-part.ts';

/** Redacts messages with the redacting hooks of a session. Returns the same value if nothing is found. */
export interface Cleaning {
  text(text: string): string;
  part<T extends JsonObject | undefined>(part: T): T;
  /** Redacts the params of a notification. */
  notice<T extends JsonObject | undefined>(params: T): T;
  /** Redacts the result and the error of a reply. Receivers of a reply with both may read either. */
  reply(message: RpcMessage): RpcMessage;
  /** Redacts the client's answers to requests of the server, in the params of a request. */
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

/** Forwards a message. It is serialized again only if a part of it changed. */
export function passPart(
  send: (text: string) => void,
  { text, message }: Read,
  part: 'params' | 'result',
  given: JsonObject | undefined,
): void {
  send(given === message[part] ? text : JSON.stringify({ ...message, [part]: given }));
}
