import { messageOf } from '../../../errors/describe-thrown.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

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

/** A message and the text that it was read from. */
export interface Read {
  readonly text: string;
  readonly message: RpcMessage;
}

/** The requests that wait because of a message. The sender waits for answers to `asks`, the other side for the replies. */
export interface Waiting {
  readonly asks: readonly RpcId[];
  readonly answers: readonly RpcId[];
}

/** Thrown for a message that is not forwarded. Names the requests that wait because of it. */
export class Unreadable extends Error {
  readonly waiting: Waiting;

  constructor(why: string, waiting: Waiting = { asks: [], answers: [] }) {
    super(why);
    this.waiting = waiting;
  }
}

/** The maximum nesting of lists and objects. Many parsers run out of stack at a few thousand levels. */
const MAX_DEPTH = 512;

const fields = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * Reads one message, strictly. It rejects text that another parser could read differently, such as duplicate fields or fields in another case. The
 * proxy forwards the received text. It removes only line breaks, because many readers end a message at each of them. Throws `Unreadable`.
 */
export function readMessage(line: string): Read {
  const text = line.replace(/[\r\n]/g, ' ');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new Unreadable(`it is not JSON: ${messageOf(thrown)}`);
  }
  try {
    assertMessage(value, text);
  } catch (thrown) {
    throw new Unreadable(messageOf(thrown), waitingFor(value));
  }
  return { text, message: value as RpcMessage };
}

function assertMessage(value: unknown, text: string): void {
  // Each level has at least two characters.
  if (text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH))
    throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) throw new Error('it is a batch, which MCP no longer supports; send one message per line');
  if (!isObject(value)) throw new Error('it is not an object');
  assertSpelling(value, fields);
  const { jsonrpc, id, method, params, result, error } = value;
  if (jsonrpc !== '2.0') throw new Error('it is not a JSON-RPC 2.0 message');
  if (method !== undefined && typeof method !== 'string') throw new Error('its method is not a string');
  if (id !== undefined && id !== null && !isId(id)) throw new Error('its id must be a string or a safe integer');
  if (method === undefined && id === undefined) throw new Error('it has neither a method nor an id');
  if ([params, result, error].some((part) => part !== undefined && !isObject(part)))
    throw new Error('its params, result and error must be objects');
  if ([method, result, error].filter((part) => part !== undefined).length !== 1)
    throw new Error('it must have exactly one of method, result and error');
  if (JSON.stringify(value) !== text && fieldsIn(value) !== betweenTexts(text).split(':').length - 1)
    throw new Error('an object has a duplicate field');
}

/** Returns the requests that wait because of a message or a batch. */
export function waitingFor(value: unknown): Waiting {
  const named = (Array.isArray(value) ? value : [value]).filter(isObject).filter(({ id }) => isId(id));
  const ids = (asks: boolean): RpcId[] =>
    named.filter(({ method }) => (method !== undefined) === asks).map(({ id }) => id as RpcId);
  return { asks: ids(true), answers: ids(false) };
}

function isId(id: unknown): id is RpcId {
  if (typeof id !== 'number') return typeof id === 'string';
  return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** Returns the first integer that changes when it is parsed. JavaScript numbers hold about 16 digits. */
export function inexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  const whole = betweenTexts(text).match(/(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g) ?? [];
  return whole.find((digits) => digits.length > 300 || BigInt(digits) !== BigInt(Number(digits)));
}

/** Rejects a field that differs from a known one only in case. Some parsers treat both as the same field. */
export function assertSpelling(value: object, known: readonly string[]): void {
  // Folds in both directions: a letter such as \u017f shares only its upper case with another letter.
  const fold = (name: string): string => name.toUpperCase().toLowerCase();
  const like = (key: string): boolean => known.some((one) => fold(one) === fold(key));
  const wrong = Object.keys(value).find((key) => !known.includes(key) && like(key));
  if (wrong !== undefined) throw new Error(`it has a misspelled field ${JSON.stringify(wrong)}`);
}

function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, one) => sum + fieldsIn(one), own);
}

/** Returns JSON without the content of its strings. A regular expression would run out of stack in a long string. */
function betweenTexts(text: string): string {
  const between: string[] = [];
  let from = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', from)) {
    between.push(text.slice(from, start));
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    from = end + 1;
  }
  return [...between, text.slice(from)].join('"');
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

export function errorReply(id: RpcId | null, code: number, message: string): RpcMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
