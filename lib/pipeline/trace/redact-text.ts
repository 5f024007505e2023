import { HooklineError } from '../../errors.ts';
import type { Ask } from '../../events/decisions/ask.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import type { ErrorInfo } from '../../events/parts/error-info.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { ignoreRejection, isAsync } from '../../events/values/is-async.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { mapTexts } from '../../events/values/map-texts.ts';
import type { Plan } from '../define/plan.ts';
import type { Logger } from '../logger.ts';

/** The fields of a run that redaction needs. */
export interface Redacting {
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

function withTexts<T extends object>(holder: T, keys: readonly string[], redact: (text: string) => string): T {
  const texts = Object.entries(holder).flatMap(([key, value]) =>
    keys.includes(key) && typeof value === 'string' ? [[key, redact(value)]] : [],
  );
  return { ...holder, ...Object.fromEntries(texts) };
}
