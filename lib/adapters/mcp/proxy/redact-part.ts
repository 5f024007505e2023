import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

type Redact = (text: string) => string;
type Fields = Readonly<Record<string, (value: JsonValue, redact: Redact) => JsonValue>>;

/**
 * Redacts every text in a result, params or an error of MCP, field names included. Values that only their sender reads are kept, and so is the data
 * of images, audio and files. They are kept only where the protocol defines them. Returns the same value if nothing is found.
 */
export function redactPart(part: JsonObject, redact: Redact): JsonObject {
  if (!('content' in part)) return fieldwise(part, redact, PART);
  // An answered form has an `action`, and its fields may have any name. Messages of sampling have a `role`.
  const content = 'role' in part && !('action' in part) ? blocks : listOfBlocks;
  return fieldwise(part, redact, { content });
}

/** Redacts the params of a notification. A notification has no cursor or state that must be kept. */
export function redactNotice(params: JsonObject, redact: Redact): JsonObject {
  return fieldwise(params, redact, NOTICE);
}

/** Redacts an error. The error that sends the user to other URLs keeps the elicitation ids, because the server waits for them. */
export function redactError<T extends { readonly code: number }>(error: T, redact: Redact): T {
  const given = error as unknown as JsonValue;
  const clean = isObject(given)
    ? fieldwise(given, redact, error.code === ELSEWHERE ? elsewhere : {})
    : leaves(given, redact);
  return clean as unknown as T;
}

/** Redacts every text, and every number that would be redacted as a text. */
function leaves(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value));
  if (Array.isArray(value)) return each(value, (item) => leaves(item, redact));
  return isObject(value) ? fieldwise(value, redact, {}) : value;
}

/** Redacts `known` fields by their own rules, and all others with `leaves`. */
function fieldwise(object: JsonObject, redact: Redact, known: Fields): JsonObject {
  let changed = false;
  const clean = Object.entries(object).map(([key, inner]): [string, JsonValue] => {
    const own = Object.hasOwn(known, key) ? known[key] : undefined;
    const value = inner as JsonValue;
    const pair: [string, JsonValue] = own ? [key, own(value, redact)] : [redact(key), leaves(value, redact)];
    changed ||= pair[0] !== key || pair[1] !== inner;
    return pair;
  });
  return changed ? Object.fromEntries(clean) : object;
}

const asIs = (value: JsonValue, redact: Redact): JsonValue =>
  typeof value === 'string' ? value : leaves(value, redact);
/** Redacts objects with `known` fields, in a list or on their own. */
const listOf =
  (known: (object: JsonObject) => Fields) =>
  (value: JsonValue, redact: Redact): JsonValue => {
    const one = (item: JsonValue): JsonValue =>
      isObject(item) ? fieldwise(item, redact, known(item)) : leaves(item, redact);
    return Array.isArray(value) ? each(value, one) : one(value);
  };
/** Redacts the entries of an object whose keys the server chose. */
const mapOf =
  (rule: (value: JsonObject, redact: Redact) => JsonValue) =>
  (value: JsonValue, redact: Redact): JsonValue => {
    if (!isObject(value)) return leaves(value, redact);
    const pairs = Object.entries(value).map(([key, inner]): [string, JsonValue] => [
      redact(key),
      isObject(inner) ? rule(inner, redact) : leaves(inner, redact),
    ]);
    const same = Object.entries(value).every(([key, inner], at) => pairs[at]?.[0] === key && pairs[at]?.[1] === inner);
    return same ? value : Object.fromEntries(pairs);
  };

/** The file of a resource. */
const resource: Fields = { blob: asIs };
const blocks = listOf(({ type }) => BLOCKS.get(type) ?? {});
const BLOCKS: ReadonlyMap<unknown, Fields> = new Map<unknown, Fields>([
  ['image', { data: asIs }],
  ['audio', { data: asIs }],
  ['resource', { resource: listOf(() => resource) }],
  // A block of sampling.
  ['tool_result', { content: (value, redact) => blocks(value, redact) }],
]);
/** An answered form may have a field with this name. */
const listOfBlocks = (value: JsonValue, redact: Redact): JsonValue =>
  Array.isArray(value) ? blocks(value, redact) : leaves(value, redact);
const request: Fields = {
  params: (value, redact) => (isObject(value) ? redactPart(value, redact) : leaves(value, redact)),
};

const NOTICE: Fields = {
  progressToken: asIs,
  elicitationId: asIs,
  _meta: listOf(() => ({ progressToken: asIs })),
};

const PART: Fields = {
  ...NOTICE,
  cursor: asIs,
  nextCursor: asIs,
  requestState: asIs,
  contents: listOf(() => resource),
  messages: listOf(() => ({ content: blocks })),
  // Input that a result requests, and the responses to it.
  inputRequests: mapOf((one, redact) => fieldwise(one, redact, request)),
  inputResponses: mapOf(redactPart),
};

const ELSEWHERE = -32042;
const elsewhere: Fields = { data: listOf(() => ({ elicitations: listOf(() => ({ elicitationId: asIs })) })) };

function each(items: readonly JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : (items as JsonValue);
}
