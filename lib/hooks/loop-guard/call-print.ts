import type { PostActing } from '../../events/post-acting.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../events/values/sealed-placeholder.ts';

/** The compared parts of a finished call. */
export interface CallPrint {
  /** Equal for equal calls: tool, input and, if results are compared, the result. */
  readonly call: string;
  /** Equal for calls that differ only in their counters and have equal results. Absent: the call has no counter. */
  readonly shape?: string;
  /** The values of the counters, in the order of the fields. */
  readonly counters?: readonly number[];
}

/** Options of the comparison. */
export interface PrintOptions {
  /** Whether calls with different results are different. */
  readonly results: boolean;
  /** Whether the result is the text of a sub-agent, whose wording varies. */
  readonly prose: boolean;
  /** Whether fields that only grow are counters. */
  readonly counters: boolean;
}

/** A call with more numbers has no counters, because state is copied on each change. */
const MOST_COUNTERS = 8;
/** Fields that number or date an attempt, such as `retryCount` or `request_id`, without case and separators. */
const ATTEMPT =
  /^(n|i|k|no|nr|counter|count|attempts?|(attempt|retry|try|call|request)(no|nr|number|count|id|index)|try|tries|retry|retries|iterations?|seq|sequence|nonce|timestamp|ts|now)$/;
const NUMBER = /^\d{1,15}(\.\d{1,6})?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Returns the compared parts of a call. White space and invisible characters are ignored. A sealed value counts by its label. */
export function printCall(
  { toolCall, result, outcome, permission }: Pick<PostActing, 'toolCall' | 'result' | 'outcome' | 'permission'>,
  { results, prose, counters }: PrintOptions,
): CallPrint {
  // A denied call has no result. Its reason may count down.
  const answer = outcome === 'denied' ? 'denied' : answerOf(result);
  const call = `${toolCall.name} ${textOf(toolCall.input)}`;
  const made = { call: keyOf(results && !prose ? `${call} ${answer}` : call) };
  if (!counters) return made;
  // The answer "ok" of a write tool does not distinguish two tasks from two attempts at one. Field names do.
  const anyField = permission === 'read' || result.isError;
  const found: number[] = [];
  const counts = (name: string) => anyField || ATTEMPT.test(name.toLowerCase().replace(/[_\-\s]/g, ''));
  const masked = textOf(toolCall.input, '', counts, found);
  if (found.length === 0 || found.length > MOST_COUNTERS) return made;
  // A result that repeats the counter contains nothing new.
  const masks = new Set(found.map(String));
  const echo = answer.replace(/\d+(\.\d+)?/g, (digits) => (masks.has(digits) ? '#' : digits));
  return { call: made.call, shape: keyOf(`${toolCall.name} ${masked} ${echo}`), counters: found };
}

/** Returns whether no counter decreased and one increased. */
export function hasGrown(before: readonly number[], after: readonly number[]): boolean {
  if (before.length !== after.length) return false;
  return (
    after.every((value, at) => value >= (before[at] ?? value)) &&
    after.some((value, at) => value > (before[at] ?? value))
  );
}

function answerOf({ content, isError, media }: PostActing['result']): string {
  return `${isError}${media ? canonicalJson(media as unknown as JsonValue) : ''} ${plainText(content)}`;
}

/** Writes a value as one text, with sorted fields. The values of fields that count become equal, and are added to `found`. */
function textOf(value: JsonValue, name = '', counts?: (name: string) => boolean, found: number[] = []): string {
  if (typeof value === 'object' && value !== null) {
    if (isPlaceholder(value)) return `sealed ${JSON.stringify(value.$sealed)}`;
    if (isList(value)) return `[${value.map((item) => textOf(item, name, counts, found)).join()}]`;
    const fields = Object.keys(value).sort();
    return `{${fields.map((key) => `${JSON.stringify(key)}:${textOf(value[key] as JsonValue, key, counts, found)}`).join()}}`;
  }
  const plain = typeof value === 'string' ? plainText(value) : value;
  const number = counts?.(name) ? counterValue(plain) : undefined;
  if (number === undefined) return JSON.stringify(plain);
  found.push(number);
  return '#';
}

function counterValue(value: string | number | boolean | null): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (NUMBER.test(value)) return Number(value);
  const time = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const plainText = (text: string): string => text.replace(/[\s\p{Cf}]+/gu, ' ').trim();

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns a short key for a text: two hashes of 32 bits. Keys are only compared with each other, so they need no cryptographic hash. */
function keyOf(text: string): string {
  let [one, two] = [0x2c1b3c6d, 0x297a2d39];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    two = Math.imul(two ^ unit, 0x5f356495);
    one ^= two >>> 15;
  }
  return `${one >>> 0}.${two >>> 0}`;
}
