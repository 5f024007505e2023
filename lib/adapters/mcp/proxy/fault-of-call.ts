import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { assertSpelling, inexactNumber } from './json-rpc.ts';

const MEMBERS = ['name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState'];

/** Why a method is not passed on, if so: a server that is lax may take `Tools/Call ` for a call. */
export function faultOfMethod(method: string): string | undefined {
  if (method === 'tools/call') return undefined;
  if (method.startsWith('tasks/')) return 'Tasks are not supported through Hookline.';
  const letters = method
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return letters === 'toolscall' ? `${JSON.stringify(method)} is not how tools/call is spelt.` : undefined;
}

/** Why a `tools/call` is not taken, if so. */
export function faultOfCall(params: JsonObject, text: string): string | undefined {
  try {
    assertSpelling(params, MEMBERS);
  } catch (thrown) {
    return `tools/call: ${messageOf(thrown)}`;
  }
  if (typeof params['name'] !== 'string') return 'tools/call: params.name must be a text';
  const inexact = inexactNumber(text);
  if (inexact !== undefined)
    return `tools/call: ${inexact.slice(0, 40)} would be another number where it is judged; give it as a text`;
  const given = params['arguments'];
  if (given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given))) return undefined;
  return 'tools/call: params.arguments must be an object';
}
