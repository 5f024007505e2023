import { messageOf } from '../../../errors/describe-thrown.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { assertSpelling, inexactNumber } from './json-rpc.ts';

const MEMBERS = ['name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState'];

/** Returns why a method is rejected, or `undefined`. A lenient server may read `Tools/Call ` as a call. */
export function checkMethod(method: string): string | undefined {
  if (method === 'tools/call') return undefined;
  if (method.startsWith('tasks/')) return 'Hookline does not support tasks.';
  const letters = method
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return letters === 'toolscall' ? `${JSON.stringify(method)} is a misspelling of tools/call.` : undefined;
}

/** Returns why a `tools/call` is rejected, or `undefined`. */
export function checkCallParams(params: JsonObject, text: string): string | undefined {
  try {
    assertSpelling(params, MEMBERS);
  } catch (thrown) {
    return `tools/call: ${messageOf(thrown)}`;
  }
  if (typeof params['name'] !== 'string') return 'tools/call: params.name must be a string';
  const inexact = inexactNumber(text);
  if (inexact !== undefined)
    return `tools/call: JavaScript cannot represent ${inexact.slice(0, 40)} exactly; send it as a string`;
  const given = params['arguments'];
  if (given === undefined || isObject(given)) return undefined;
  return 'tools/call: params.arguments must be an object';
}
