import { isChunk } from '../../events/chunk-text.ts';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Hook, Redact, TraceChange, TraceStep } from '../define/hook.ts';
import type { NamedRedact } from '../define/plan.ts';
import { type Redacting, redactText } from './redact-text.ts';

/** The values at a path, unredacted. */
interface ChangedValue {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a hook did, unredacted. */
export interface Effect extends Pick<TraceStep, 'effect' | 'paths' | 'decision' | 'reason'> {
  readonly values?: readonly ChangedValue[];
}

/** A step as the run records it. What it costs to read a step is paid when the trace is read. */
export interface RecordedStep extends Pick<TraceStep, 'stage' | 'ms'> {
  readonly hook: Pick<Hook, 'name' | 'priority'>;
  /** The event that the hook received. */
  readonly before: object;
  /** The event with its changes, or the failure of a hook that blocked on it. */
  readonly after: object;
  /** `undefined`: the difference of the two events. */
  readonly effect?: Effect | undefined;
}

/** Returns a step of the trace without secrets. With `values`, it contains the changed values, which pass these functions too. */
export function readStep(
  scope: Redacting,
  { hook, stage, ms, before, after, effect = effectOf(before as HookEvent, after as HookEvent) }: RecordedStep,
  values: readonly NamedRedact[] | undefined,
): TraceStep {
  const { values: changed, paths, reason, ...rest } = effect;
  const step = { hook: hook.name, priority: hook.priority, stage, ...rest, ms };
  if (!paths && reason === undefined) return step;
  const redactors = values ? [...scope.plan.redactors, ...values] : scope.plan.redactors;
  // Only the engine writes why a hook is skipped.
  const redact: Redact =
    redactors.length === 0 || rest.effect === 'skipped' ? (text) => text : (text) => redactText(scope, text, redactors);
  return {
    ...step,
    ...(reason !== undefined && { reason: redact(reason) }),
    ...(paths && { paths: paths.map((path) => redact(path)) }),
    ...(values && changed && { changes: changed.slice(0, MOST_CHANGES).map((value) => changeOf(value, redact)) }),
  };
}

const PASSED: Effect = Object.freeze({ effect: 'passed' });

/** Returns the effect of a handler, from the event before and after it. A chunk may contain half a secret, so its values are not listed. */
export function effectOf(before: HookEvent, after: HookEvent): Effect {
  if (before === after) return PASSED;
  const keys: readonly string[] = eventRules[before.type].changes;
  const values = keys.flatMap((key) => changedValues(field(before, key), field(after, key), key));
  const paths = values.map(({ path }) => path);
  const decided = after.decision !== before.decision && after.decision !== undefined;
  return {
    effect: decided ? 'decided' : paths.length > 0 ? 'changed' : 'passed',
    ...(paths.length > 0 && (isChunk(before) ? { paths } : { paths, values })),
    ...(decided && { decision: (after.decision as unknown as { action: string }).action }),
  };
}

function changedValues(a: unknown, b: unknown, path: string): ChangedValue[] {
  if (a === b) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return [{ path, before: a, after: b }];
  if (Array.isArray(a) !== Array.isArray(b)) return [{ path, before: a, after: b }];
  if (Array.isArray(a) && Array.isArray(b)) return changedItems(a, b, path);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => changedValues(field(a, key), field(b, key), `${path}.${key}`));
}

/** Omits the items at the beginning and end that both lists share. If one message was added in front, only that message is left. */
function changedItems(a: readonly unknown[], b: readonly unknown[], path: string): ChangedValue[] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [ours, theirs] = [a, b].map((list) => list.slice(head, list.length - tail)) as [unknown[], unknown[]];
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) =>
    changedValues(ours[index], theirs[index], `${path}.${head + index}`),
  ).flat();
}

function field(holder: object, key: string): unknown {
  return (holder as Record<string, unknown>)[key];
}

/** Maximum changes of a step with values. */
const MOST_CHANGES = 20;
/** Maximum characters of JSON of a reported value. */
const MOST_CHARS = 4_000;
/** Maximum characters of JSON of a redacted value, because the run waits for it. A longer value is withheld. */
const MOST_REDACTED = 100_000;

function changeOf({ path, before, after }: ChangedValue, redact: Redact): TraceChange {
  // An item of a list has no name of its own.
  const key = /(?:^|\.)(?!\d+$)([^.]+)$/.exec(path)?.[1];
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : shown(value, key, redact)));
  return {
    path: redact(path),
    ...(was && { before: was.value }),
    ...(is && { after: is.value }),
    ...((was?.cut || is?.cut) && { cut: true }),
  };
}

/** Redacts the whole text before it is cut. Otherwise half a secret could be at the end. */
function shown(
  value: unknown,
  key: string | undefined,
  redact: Redact,
): Pick<TraceChange, 'cut'> & { value: JsonValue } {
  if ((JSON.stringify(value) ?? '').length > MOST_REDACTED) return { value: '', cut: true };
  const clean = cleanField(value as JsonValue, key, redact);
  const text = JSON.stringify(clean) ?? 'null';
  if (text.length <= MOST_CHARS) return { value: clean };
  return { value: (typeof clean === 'string' ? clean : text).slice(0, MOST_CHARS), cut: true };
}

/** Also removes values that are secrets only because of their name, and numbers that are one. */
function cleanField(value: JsonValue, key: string | undefined, redact: Redact): JsonValue {
  if (typeof value === 'string') return cleanText(value, key, redact);
  if (typeof value === 'number') {
    const text = cleanText(String(value), key, redact);
    return text === String(value) ? value : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanField(item, undefined, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), cleanField(item, name, redact)]),
  );
}

function cleanText(text: string, key: string | undefined, redact: Redact): string {
  const clean = redact(text);
  if (clean !== text || key === undefined) return clean;
  const named = `${JSON.stringify(key)}: "${text}"`;
  return redact(named) === named ? text : '[withheld]';
}
