import { Subject } from 'rxjs';
import type { HookEvent, Settled } from '../events/hook-event.ts';
import { legal } from '../events/legal.ts';
import type { TraceReport, TraceStep } from './trace.ts';

/** Gathers what hooks do to events until they settle. Made only when somebody asked for a trace. */
export interface Tracer {
  readonly reports$: Subject<TraceReport>;
  /** Adds a step to what is known of `before`, and carries it over to what became of it. */
  step(before: HookEvent, after: HookEvent, step: TraceStep): void;
  /** Carries what is known of one event over to another that took its place. */
  carry(from: HookEvent, to: HookEvent): void;
  settled(event: HookEvent, settled: Settled): void;
}

export function createTracer(): Tracer {
  const known = new WeakMap<HookEvent, readonly TraceStep[]>();
  const reports$ = new Subject<TraceReport>();
  return {
    reports$,
    step(before, after, step) {
      known.set(after, [...(known.get(before) ?? []), step]);
    },
    carry(from, to) {
      const steps = known.get(from);
      if (steps && from !== to) known.set(to, steps);
    },
    settled(event, settled) {
      reports$.next({ event: settled, steps: known.get(event) ?? [] });
    },
  };
}

/** What a handler did, seen from the event before and after it. */
export function effectOf(before: HookEvent, after: HookEvent): Pick<TraceStep, 'effect' | 'paths' | 'decision'> {
  const keys: readonly string[] = legal[before.type].changes;
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
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => changedPaths(member(a, key), member(b, key), `${path}.${key}`));
}

function member(holder: object, key: string): unknown {
  return (holder as Record<string, unknown>)[key];
}
