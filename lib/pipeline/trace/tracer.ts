import { Subject } from 'rxjs';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Hook, TraceStep } from '../define/hook.ts';

/**
 * Gathers what hooks do to events until they settle. Made only when somebody asked for a trace. What an event came to may also be the
 * `StepFailure` of a hook that failed closed on it, until that becomes an error event.
 */
export interface Tracer {
  readonly reports$: Subject<TraceReport>;
  /** Adds a step to what is known of `before`, and carries it over to what became of it. */
  step(before: object, after: object, step: TraceStep): void;
  /** Adds that a hook had no say. */
  skip(event: object, hook: Hook, stage: TraceStep['stage'], reason: string): void;
  /** Carries what is known of one event over to another that took its place. */
  carry(from: object, to: object): void;
  /** The same, and forgets it of the first. */
  move(from: object, to: object): void;
  /** The steps go out as `clean` leaves them. */
  settled(event: HookEvent, settled: SettledEvent, clean: (step: TraceStep) => TraceStep): void;
  /** The steps that went out with a settled event. */
  stepsOf(settled: SettledEvent): readonly TraceStep[];
}

export function createTracer(): Tracer {
  const known = new WeakMap<object, readonly TraceStep[]>();
  const told = new WeakMap<SettledEvent, readonly TraceStep[]>();
  const reports$ = new Subject<TraceReport>();
  const tracer: Tracer = {
    reports$,
    step(before, after, step) {
      known.set(after, [...(known.get(before) ?? []), step]);
    },
    skip(event, { name, priority }, stage, reason) {
      tracer.step(event, event, { hook: name, priority, stage, effect: 'skipped', reason, ms: 0 });
    },
    carry(from, to) {
      const steps = known.get(from);
      if (steps && from !== to) known.set(to, steps);
    },
    move(from, to) {
      tracer.carry(from, to);
      known.delete(from);
    },
    settled(event, settled, clean) {
      const steps = (known.get(event) ?? []).map(clean);
      told.set(settled, steps);
      reports$.next({ event: settled, steps });
    },
    stepsOf: (settled) => told.get(settled) ?? [],
  };
  return tracer;
}

/** What a handler did, seen from the event before and after it. */
export function effectOf(before: HookEvent, after: HookEvent): Pick<TraceStep, 'effect' | 'paths' | 'decision'> {
  const keys: readonly string[] = eventRules[before.type].changes;
  const paths = keys.flatMap((key) => changedPaths(member(before, key), member(after, key), key));
  const decided = after.decision !== before.decision && after.decision !== undefined;
  return {
    effect: decided ? 'decided' : paths.length > 0 ? 'changed' : 'passed',
    ...(paths.length > 0 && { paths }),
    ...(decided && { decision: (after.decision as unknown as { action: string }).action }),
  };
}

function changedPaths(a: unknown, b: unknown, path: string): string[] {
  if (a === b) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [path];
  if (Array.isArray(a) !== Array.isArray(b)) return [path];
  if (Array.isArray(a) && Array.isArray(b)) return changedItems(a, b, path);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => changedPaths(member(a, key), member(b, key), `${path}.${key}`));
}

/** What is between the items that both begin and end with: of a conversation with a message put in front only that message. */
function changedItems(a: readonly unknown[], b: readonly unknown[], path: string): string[] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [ours, theirs] = [a, b].map((list) => list.slice(head, list.length - tail)) as [unknown[], unknown[]];
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) =>
    changedPaths(ours[index], theirs[index], `${path}.${head + index}`),
  ).flat();
}

function member(holder: object, key: string): unknown {
  return (holder as Record<string, unknown>)[key];
}

/**
 * A settled event and what every hook did to it, in order. What was done to an event that never settles, because a hook failed on it,
 * stands with the error event that says so.
 */
export interface TraceReport {
  readonly event: SettledEvent;
  readonly steps: readonly TraceStep[];
}

/** Whether a hook lets the text of a block out as it went in, wherever it cuts it. */
export interface JoinedText {
  /** A piece goes in. */
  heard(text: string): void;
  /** A piece comes out: whether it goes on with what went in. Behind the first that does not, nobody can say. */
  said(text: string): boolean | undefined;
}

export function createJoinedText(): JoinedText {
  /** What went in and has not come out; `undefined` behind a piece that did not fit. */
  let ahead: string | undefined = '';
  return {
    heard(text) {
      if (ahead !== undefined) ahead += text;
    },
    said(text) {
      if (ahead === undefined) return undefined;
      const same = ahead.startsWith(text);
      ahead = same ? ahead.slice(text.length) : undefined;
      return same;
    },
  };
}
