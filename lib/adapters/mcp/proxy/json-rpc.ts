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

/** Who waits because of a message: its sender for the answer to what it asks, the other side for what it answers. */
export interface Waiting {
  readonly asks: readonly RpcId[];
  readonly answers: readonly RpcId[];
}

/** A message that is not passed on, with who waits because of it. */
export class Unreadable extends Error {
  readonly waiting: Waiting;

  constructor(why: string, waiting: Waiting = { asks: [], answers: [] }) {
    super(why);
    this.waiting = waiting;
  }
}

/** Levels of lists and objects in one message. Many readers run out of stack at some thousands. */
const MAX_DEPTH = 512;

const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * Reads one message, strictly: what another parser could read otherwise (a member twice, or in other letters) is refused, since the
 * text is passed on as it came, but for line breaks: many readers end a message at each of them. Throws `Unreadable`.
 */
export function readMessage(line: string): Read {
  const text = line.replace(/[\r\n]/g, ' ');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new Unreadable(`it is no JSON: ${messageOf(thrown)}`);
  }
  try {
    assertMessage(value, text);
  } catch (thrown) {
    throw new Unreadable(messageOf(thrown), waitingFor(value));
  }
  return { text, message: value as RpcMessage };
}

function assertMessage(value: unknown, text: string): void {
  // Two characters are one level at least.
  if (text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH))
    throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) throw new Error('it is a batch, which MCP has no more; send one message a line');
  if (!isObject(value)) throw new Error('it is no object');
  assertSpelling(value, members);
  const { jsonrpc, id, method, params, result, error } = value;
  if (jsonrpc !== '2.0') throw new Error('it is not of JSON-RPC 2.0');
  if (method !== undefined && typeof method !== 'string') throw new Error('its method is no text');
  if (id !== undefined && id !== null && !isId(id))
    throw new Error('its id is neither text nor a number that every reader holds exactly');
  if (method === undefined && id === undefined) throw new Error('it has neither a method nor an id');
  if ([params, result, error].some((part) => part !== undefined && !isObject(part)))
    throw new Error('its params, its result or its error are no object');
  if ([method, result, error].filter((part) => part !== undefined).length !== 1)
    throw new Error('it must have one of method, result and error');
  if (JSON.stringify(value) !== text && membersIn(value) !== betweenTexts(text).split(':').length - 1)
    throw new Error('a member stands twice in one object');
}

/** Who waits because of a message, or of each in a batch. */
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

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number that is another one once it has been read: JavaScript holds some 16 digits. */
export function inexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  const whole = betweenTexts(text).match(/(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g) ?? [];
  return whole.find((digits) => digits.length > 300 || BigInt(digits) !== BigInt(Number(digits)));
}

/** Refuses a member that differs from a known one only in the case of its letters: some parsers take it for that one. */
export function assertSpelling(value: object, known: readonly string[]): void {
  // Both ways, for letters such as \u017f, which only has the upper case of another one.
  const fold = (name: string): string => name.toUpperCase().toLowerCase();
  const like = (key: string): boolean => known.some((one) => fold(one) === fold(key));
  const wrong = Object.keys(value).find((key) => !known.includes(key) && like(key));
  if (wrong !== undefined) throw new Error(`it has a member ${JSON.stringify(wrong)}, which is not spelt so`);
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, one) => sum + membersIn(one), own);
}

/** JSON without what its texts say. No regular expression: it runs out of stack in a long text. */
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

/** A request that is answered with an error. */
export function errorReply(id: RpcId | null, code: number, message: string): RpcMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
