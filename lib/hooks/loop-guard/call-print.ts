import type { PostActing } from '../../events/post-acting.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { walk } from '../../events/values/sealed-placeholder.ts';
import { shortHash } from '../call-key.ts';

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
  const input = plain(walk(toolCall.input, '', ({ $sealed }) => ({ $sealed })));
  const named = `${toolCall.name} ${canonicalJson(input)}`;
  // A denied call has no result. Its reason may count down.
  const answer = outcome === 'denied' ? 'denied' : canonicalJson(answerOf(result));
  const call = shortHash(results && !prose ? `${named} ${answer}` : named);
  if (!counters) return { call };
  // The answer "ok" of a write tool does not distinguish two tasks from two attempts at one. Field names do.
  const anyField = permission === 'read' || result.isError;
  const found: number[] = [];
  const masked = maskCounters(
    input,
    '',
    (name) => anyField || ATTEMPT.test(name.toLowerCase().replace(/[_\-\s]/g, '')),
    found,
  );
  if (found.length === 0 || found.length > MOST_COUNTERS) return { call };
  // A result that repeats the counter contains nothing new.
  const masks = new Set(found.map(String));
  const echo = answer.replace(/\d+(\.\d+)?/g, (digits) => (masks.has(digits) ? '#' : digits));
  return { call, shape: shortHash(`${toolCall.name} ${canonicalJson(masked)} ${echo}`), counters: found };
}

/** Returns whether no counter decreased and one increased. */
export function hasGrown(before: readonly number[], after: readonly number[]): boolean {
  if (before.length !== after.length) return false;
  return (
    after.every((value, at) => value >= (before[at] ?? value)) &&
    after.some((value, at) => value > (before[at] ?? value))
  );
}

function answerOf({ content, isError, media }: PostActing['result']): JsonObject {
  return { content: plainText(content), isError, ...(media && { media: media as unknown as JsonValue }) };
}

function maskCounters(value: JsonValue, name: string, counts: (name: string) => boolean, found: number[]): JsonValue {
  const number = counts(name) ? counterValue(value) : undefined;
  if (number !== undefined) {
    found.push(number);
    return { $counter: true };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => maskCounters(item, name, counts, found));
  const fields = Object.keys(value).sort();
  return Object.fromEntries(
    fields.map((key) => [key, maskCounters((value as JsonObject)[key] as JsonValue, key, counts, found)]),
  );
}

function counterValue(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (NUMBER.test(value)) return Number(value);
  const time = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function plain(value: JsonValue): JsonValue {
  if (typeof value === 'string') return plainText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item as JsonValue)]));
}

const plainText = (text: string): string => text.replace(/[\s\p{Cf}]+/gu, ' ').trim();

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
