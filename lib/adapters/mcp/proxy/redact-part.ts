import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

type Redact = (text: string) => string;
type Members = Readonly<Record<string, (value: JsonValue, redact: Redact) => JsonValue>>;

/**
 * A result, params or an error of MCP with every text in it redacted, names of members included. What only its sender reads, and data of images,
 * sound and files, is left where the protocol has it and nowhere else. The same value where nothing is found.
 */
export function redactPart(part: JsonObject, redact: Redact): JsonObject {
  if (!('content' in part)) return memberwise(part, redact, PART);
  // Of what was answered nothing goes on. A form that was filled in has an action, and may say anything else besides.
  const content = 'role' in part && !('action' in part) ? blocks : listOfBlocks;
  return memberwise(part, redact, { content });
}

/** Params of a notification, of which nothing goes on: its sender waits for no cursor and no state. */
export function redactNotice(params: JsonObject, redact: Redact): JsonObject {
  return memberwise(params, redact, NOTICE);
}

/** An error; one that sends the user to other addresses names what its sender waits for. */
export function redactError<T extends { readonly code: number }>(error: T, redact: Redact): T {
  const given = error as unknown as JsonValue;
  const clean = isObject(given)
    ? memberwise(given, redact, error.code === ELSEWHERE ? elsewhere : {})
    : leaves(given, redact);
  return clean as unknown as T;
}

/** Every text, whatever it is called, and every number that would be redacted as a text. */
function leaves(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value));
  if (Array.isArray(value)) return each(value, (item) => leaves(item, redact));
  return isObject(value) ? memberwise(value, redact, {}) : value;
}

/** `known` members by their own rules, all others as `leaves`. */
function memberwise(object: JsonObject, redact: Redact, known: Members): JsonObject {
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
/** A list of what has `known` members, or a single one. */
const listOf =
  (known: (object: JsonObject) => Members) =>
  (value: JsonValue, redact: Redact): JsonValue => {
    const one = (item: JsonValue): JsonValue =>
      isObject(item) ? memberwise(item, redact, known(item)) : leaves(item, redact);
    return Array.isArray(value) ? each(value, one) : one(value);
  };
/** Objects of one kind by names of the server's own. */
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

/** Of a resource: its file. */
const resource: Members = { blob: asIs };
const blocks = listOf(({ type }) => BLOCKS.get(type) ?? {});
const BLOCKS: ReadonlyMap<unknown, Members> = new Map<unknown, Members>([
  ['image', { data: asIs }],
  ['audio', { data: asIs }],
  ['resource', { resource: listOf(() => resource) }],
  // Of sampling.
  ['tool_result', { content: (value, redact) => blocks(value, redact) }],
]);
/** A form that was filled in has members of any name there. */
const listOfBlocks = (value: JsonValue, redact: Redact): JsonValue =>
  Array.isArray(value) ? blocks(value, redact) : leaves(value, redact);
const request: Members = {
  params: (value, redact) => (isObject(value) ? redactPart(value, redact) : leaves(value, redact)),
};

const NOTICE: Members = {
  progressToken: asIs,
  elicitationId: asIs,
  _meta: listOf(() => ({ progressToken: asIs })),
};

const PART: Members = {
  ...NOTICE,
  cursor: asIs,
  nextCursor: asIs,
  requestState: asIs,
  contents: listOf(() => resource),
  messages: listOf(() => ({ content: blocks })),
  // What a result asks for, and what is answered.
  inputRequests: mapOf((one, redact) => memberwise(one, redact, request)),
  inputResponses: mapOf(redactPart),
};

const ELSEWHERE = -32042;
const elsewhere: Members = { data: listOf(() => ({ elicitations: listOf(() => ({ elicitationId: asIs })) })) };

function each(items: readonly JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : (items as JsonValue);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
