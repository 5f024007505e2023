import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** What names a request. */
export type RpcId = string | number;

/** A message of JSON-RPC 2.0. A request has `id` and `method`, a notification only `method`, a reply only `id`. */
export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: RpcId | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A message as it came, and what it says. */
export interface Read {
  readonly text: string;
  readonly message: RpcMessage;
}

const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * Reads one message, strictly: what another parser could read otherwise (a member twice, or in other letters) is refused, since the
 * text is passed on as it came. Throws a plain error that says what is wrong.
 */
export function readMessage(text: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new Error(`it is no JSON: ${messageOf(thrown)}`);
  }
  if (Array.isArray(value)) throw new Error('it is a batch, which MCP has no more; send one message a line');
  if (typeof value !== 'object' || value === null) throw new Error('it is no object');
  assertSpelling(value, members);
  const { jsonrpc, id, method, params, result } = value as { [name: string]: unknown };
  if (jsonrpc !== '2.0') throw new Error('it is not of JSON-RPC 2.0');
  if (method !== undefined && typeof method !== 'string') throw new Error('its method is no text');
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new Error('its id is neither text nor a number');
  if (method === undefined && id === undefined) throw new Error('it has neither a method nor an id');
  for (const part of [params, result]) {
    if (part !== undefined && (typeof part !== 'object' || part === null || Array.isArray(part)))
      throw new Error('its params or its result are no object');
  }
  if (JSON.stringify(value) !== text && membersIn(value) !== colonsIn(text))
    throw new Error('a member stands twice in one object');
  return value as RpcMessage;
}

/** Refuses a member that differs from a known one only in the case of its letters: some parsers take it for that one. */
export function assertSpelling(value: object, known: readonly string[]): void {
  const like = (key: string): boolean => known.some((one) => one.toLowerCase() === key.toLowerCase());
  const wrong = Object.keys(value).find((key) => !known.includes(key) && like(key));
  if (wrong !== undefined) throw new Error(`it has a member ${JSON.stringify(wrong)}, which is not spelt so`);
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, one) => sum + membersIn(one), own);
}

function colonsIn(text: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
}

/** A request that is answered with an error. */
export function errorReply(id: RpcId | null, code: number, message: string): RpcMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
