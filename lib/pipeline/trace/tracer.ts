import { Subject } from 'rxjs';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import { processWide } from '../../events/values/process-wide.ts';
import type { Hook, TraceStep, Tracing } from '../define/hook.ts';
import type { NamedRedact } from '../define/plan.ts';

/** What stood at a path, as it is. */
export interface ChangedValue {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A step before it is told: with the values of its changes as they are. */
export interface TracedStep extends Omit<TraceStep, 'changes'> {
  readonly values?: readonly ChangedValue[];
}

/** What is told of a step besides where it stands. */
export type Effect = Pick<TracedStep, 'effect' | 'paths' | 'values' | 'decision' | 'reason'>;

/**
 * Gathers what hooks do to events until they settle. Made only when somebody asked for a trace. What an event came to may also be the
 * `StepFailure` of a hook that failed closed on it, until that becomes an error event.
 */
export interface Tracer {
  readonly reports$: Subject<TraceReport>;
  /** What the texts of values go through behind the hooks of the run; nothing where no values are wanted. */
  readonly values: readonly NamedRedact[] | undefined;
  /** Adds a step to what is known of `before`, and carries it over to what became of it. */
  step(before: object, after: object, step: TracedStep): void;
  /** Adds that a hook had no say. */
  skip(event: object, hook: Hook, stage: TraceStep['stage'], reason: string): void;
  /** Carries what is known of one event over to another that took its place. */
  carry(from: object, to: object): void;
  /** The same, and forgets it of the first. */
  move(from: object, to: object): void;
  /** The steps are as `clean` leaves them, which is asked when somebody reads them: the run is not held up, nor broken, by that. */
  settled(event: HookEvent, settled: SettledEvent, clean: (step: TracedStep) => TraceStep): void;
}

/** Nothing where neither the pipeline nor a hook wants a trace. */
export function createTracer(own: Tracing, hooks: readonly Hook[]): Tracer | undefined {
  const wishes = [{ hook: undefined, traced: own }, ...hooks.map(({ name, traced }) => ({ hook: name, traced }))];
  if (!wishes.some(({ traced }) => traced)) return undefined;
  const values = wishes.flatMap(({ hook, traced }) =>
    typeof traced === 'object' ? [{ hook, redact: traced.values }] : [],
  );
  const known = new WeakMap<object, readonly TracedStep[]>();
  const reports$ = new Subject<TraceReport>();
  const tracer: Tracer = {
    reports$,
    values: values.length > 0 ? values : undefined,
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
      const done = known.get(event) ?? [];
      let cleaned: readonly TraceStep[] | undefined;
      const report: TraceReport = {
        event: settled,
        get steps() {
          cleaned ??= done.map(clean);
          return cleaned;
        },
      };
      reports.set(settled, report);
      if (reports$.observed) reports$.next(report);
    },
  };
  return tracer;
}

const reports = processWide('reports', () => new WeakMap<SettledEvent, TraceReport>());

/** What every hook did to a settled event; nothing where there was no trace. */
export function stepsOf(settled: SettledEvent): readonly TraceStep[] | undefined {
  return reports.get(settled)?.steps;
}

/** Lets a settled event that others are shown instead bear the same steps. */
export function carrySteps<E extends SettledEvent>(from: SettledEvent, to: E): E {
  const report = reports.get(from);
  if (report) reports.set(to, report);
  return to;
}

/** What a handler did, seen from the event before and after it. */
export function effectOf(
  before: HookEvent,
  after: HookEvent,
): Pick<Effect, 'effect' | 'paths' | 'decision' | 'values'> {
  const keys: readonly string[] = eventRules[before.type].changes;
  const values = keys.flatMap((key) => changedValues(field(before, key), field(after, key), key));
  const paths = values.map(({ path }) => path);
  const decided = after.decision !== before.decision && after.decision !== undefined;
  return {
    effect: decided ? 'decided' : paths.length > 0 ? 'changed' : 'passed',
    ...(paths.length > 0 && { paths, values }),
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

/** What is between the items that both begin and end with: of a conversation with a message put in front only that message. */
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
  /** What has gone in and what has come out, where they differ and were kept. */
  change(): { readonly before: string; readonly after: string } | undefined;
}

/** Characters of a block that are kept to show what a hook has made of it; of a longer one it is not told. */
const MOST_KEPT = 20_000;

/** For one hook and one block, where there is a trace; kept whole where values are wanted. */
export function joinedTextFor({ tracer }: { readonly tracer: Tracer | undefined }): JoinedText | undefined {
  return tracer && createJoinedText(tracer.values !== undefined);
}

function createJoinedText(keep: boolean): JoinedText {
  /** What went in and has not come out; `undefined` behind a piece that did not fit. */
  let ahead: string | undefined = '';
  let [before, after] = ['', ''];
  return {
    heard(text) {
      if (keep && before.length <= MOST_KEPT) before += text;
      if (ahead !== undefined) ahead += text;
    },
    change: () =>
      keep && before !== after && before.length <= MOST_KEPT && after.length <= MOST_KEPT
        ? { before, after }
        : undefined,
    said(text) {
      if (keep && after.length <= MOST_KEPT) after += text;
      if (ahead === undefined) return undefined;
      const same = ahead.startsWith(text);
      ahead = same ? ahead.slice(text.length) : undefined;
      return same;
    },
  };
}
