import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import { isObject } from '../../../events/values/is-object.ts';
import { kindOf, listField, recordField, textField } from '../../../process-hooks/picoclaw/wire/fields.ts';

import { fromWireMessages } from '../../../process-hooks/picoclaw/wire/wire-message.ts';
import { fromWireTools } from '../../../process-hooks/picoclaw/wire/wire-tools.ts';

/** A request or notification of PicoClaw, as its front forwards it. */
export interface PicoclawEvent {
  readonly method: string;
  readonly params: unknown;
}

/** Params of a request. The case of field names is ignored. */
export type Params = Readonly<Record<string, unknown>>;

/** The fields that hooks evaluate, by method. Missing fields are empty, because Go omits empty maps and lists. */
const judged: Readonly<Record<string, readonly ((params: Params) => unknown)[]>> = {
  'hook.before_llm': [
    (params) => fromWireMessages(listField(params, 'messages') ?? [], []),
    (params) => fromWireTools(listField(params, 'tools') ?? [], []),
    (params) => recordField(params, 'options'),
  ],
  'hook.after_llm': [answer],
  'hook.before_tool': [toolName, (params) => recordField(params, 'arguments')],
  'hook.approve_tool': [toolName, (params) => recordField(params, 'arguments')],
  'hook.after_tool': [toolName, (params) => recordField(params, 'arguments')],
};

/**
 * Returns the params of a request if hooks can evaluate all of them, because the host may understand fields that cannot be parsed here. A validation
 * error is `INPUT_INVALID` (PicoClaw's wire: pkg/agent/hook_process.go).
 */
export function readRequest(method: string, params: unknown): Params {
  if (!isObject(params))
    throw misfit(method, `params must be an object, got ${params === undefined ? 'nothing' : kindOf(params)}.`);
  try {
    oneSpelling(params);
    for (const read of judged[method] ?? []) read(params);
    return params;
  } catch (thrown) {
    throw misfit(method, messageOf(thrown).replace(REPLY_MISFIT, ''));
  }
}

/** Converts validation errors about a reply to errors about the request, because both share a parser. */
export function requestError(method: string, thrown: unknown): unknown {
  const message = messageOf(thrown);
  return REPLY_MISFIT.test(message) ? misfit(method, message.replace(REPLY_MISFIT, '')) : thrown;
}

const REPLY_MISFIT = /^The reply is invalid: /;

function answer(params: Params): void {
  const response = recordField(params, 'response');
  if (!response) throw new Error('response is missing. It must be the answer of the model.');
  oneSpelling(response);
  listField(response, 'tool_calls');
  textField(response, 'content');
}

/** Go's decoder ignores the case of field names. With two spellings, one would be evaluated and the other one run. */
function oneSpelling(value: Params): void {
  const names = Object.keys(value).map((name) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${twice} is set twice, in two spellings.`);
}

function toolName(params: Params): void {
  const name = textField(params, 'tool');
  if (name === undefined || name === '') throw new Error('tool is missing. It must be the name of a tool.');
}

function misfit(method: string, issue: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `The request ${method} is invalid: ${issue}`);
}
