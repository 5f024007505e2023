import { HooklineError } from '../../errors.ts';
import type { Ask } from '../../events/decisions/ask.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import type { ErrorInfo } from '../../events/parts/error-info.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { ignoreRejection, isAsync } from '../../events/values/is-async.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { mapTexts } from '../../events/values/map-texts.ts';
import type { Redact, TraceChange, TraceStep } from '../define/hook.ts';
import type { Plan } from '../define/plan.ts';
import type { Logger } from '../logger.ts';
import type { ChangedValue, TracedStep, Tracer } from './tracer.ts';

/** The fields of a run that redaction needs. */
interface Redacting {
  readonly plan: Pick<Plan, 'redactors'>;
  readonly log: Logger;
  readonly info?: RunInfo;
}

/** Returns `text` after all redacting hooks, in running order. If one fails, the whole text is withheld. */
export function redactText({ plan, log, info }: Redacting, text: string, redactors = plan.redactors): string {
  let clean = text;
  for (const { hook, redact } of redactors) {
    try {
      clean = textFrom(hook, redact(clean, info));
    } catch (err) {
      log.error({ hook, err }, 'a hook failed to redact a text, which is withheld');
      return `[withheld: ${named(hook)} failed to redact it]`;
    }
  }
  return clean;
}

function textFrom(hook: string | undefined, given: unknown): string {
  if (typeof given === 'string') return given;
  ignoreRejection(given);
  const what = isAsync(given) ? 'something asynchronous' : `a ${typeof given}`;
  throw new HooklineError('HOOK_CONTRACT', `${named(hook)} (redact): returned ${what}; it must return a text at once.`);
}

function named(hook: string | undefined): string {
  return hook === undefined ? 'the option trace.values of the pipeline' : `hook "${hook}"`;
}

/** Returns the event with the texts redacted that no hook can change: reasons, prompts, notes and error messages. */
export function redactEvent<E extends HookEvent>(scope: Redacting, event: E): E {
  const { decision, notes } = event;
  const { error, reason } = event as { error?: ErrorInfo; reason?: string };
  if (scope.plan.redactors.length === 0 || !(decision || notes || error || reason !== undefined)) return event;
  const redact = (text: string): string => redactText(scope, text);
  const clean = <T>(value: T): T => mapTexts(value as JsonValue, redact) as T;
  return {
    ...event,
    ...(decision && { decision: redactDecision(decision, redact) }),
    ...(notes && {
      notes: notes.map((note) => ({
        ...note,
        message: redact(note.message),
        ...(note.data !== undefined && { data: clean(note.data) }),
      })),
    }),
    ...(error && { error: redactError(error, redact) }),
    ...(reason !== undefined && { reason: redact(reason) }),
  };
}

function redactDecision<D extends object>(decision: D, redact: (text: string) => string): D {
  const { asks } = decision as { asks?: readonly Ask[] };
  const redacted = withTexts(decision, ['reason', 'prompt'], redact);
  return asks ? { ...redacted, asks: asks.map((ask) => withTexts(ask, ['prompt'], redact)) } : redacted;
}

/** Redacts the values of the fields and keeps their names. */
function redactError({ cause, ...texts }: ErrorInfo, redact: (text: string) => string): ErrorInfo {
  return { ...withTexts(texts, Object.keys(texts), redact), ...(cause && { cause: redactError(cause, redact) }) };
}

/** Returns a step of the trace without secrets, with values if they are enabled. */
export function redactStep(
  scope: Redacting & { readonly tracer: Tracer | undefined },
  { values, ...step }: TracedStep,
): TraceStep {
  const { reason, paths } = step;
  const { plan, tracer } = scope;
  const redactors = [...plan.redactors, ...(tracer?.values ?? [])];
  if (redactors.length === 0) return step;
  const redact = (text: string): string => redactText(scope, text, redactors);
  const changes = tracer?.values && values?.slice(0, MOST_CHANGES).map((value) => changeOf(value, redact));
  return {
    ...step,
    ...(reason !== undefined && { reason: redact(reason) }),
    ...(paths && { paths: paths.map(redact) }),
    ...(changes && { changes }),
  };
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

function withTexts<T extends object>(holder: T, keys: readonly string[], redact: (text: string) => string): T {
  const texts = Object.entries(holder).flatMap(([key, value]) =>
    keys.includes(key) && typeof value === 'string' ? [[key, redact(value)]] : [],
  );
  return { ...holder, ...Object.fromEntries(texts) };
}
