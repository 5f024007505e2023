import { Subject } from 'rxjs';
import { eventRules } from '../../events/decisions/event-rules.ts';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import { processWide } from '../../events/values/process-wide.ts';
import type { Hook, TraceStep, Tracing } from '../define/hook.ts';
import type { NamedRedact } from '../define/plan.ts';

/** The values at a path, unredacted. */
export interface ChangedValue {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A step before it is reported, with the unredacted values of its changes. */
export interface TracedStep extends Omit<TraceStep, 'changes'> {
  readonly values?: readonly ChangedValue[];
}

/** A step without its place. */
export type Effect = Pick<TracedStep, 'effect' | 'paths' | 'values' | 'decision' | 'reason'>;

/**
 * Collects what hooks do to events until they settle. Exists only if a trace is enabled. A key may also be the `StepFailure` of a hook
 * that blocked on an event, until it becomes an error event.
 */
export interface Tracer {
  readonly reports$: Subject<TraceReport>;
  /** Redacts the values, after the redacting hooks of the run. `undefined` if values are disabled. */
  readonly values: readonly NamedRedact[] | undefined;
  /** Adds a step to those of `before`, and moves them to `after`. */
  step(before: object, after: object, step: TracedStep): void;
  /** Adds a skipped hook. */
  skip(event: object, hook: Hook, stage: TraceStep['stage'], reason: string): void;
  /** Copies the steps of one event to an event that replaces it. */
  carry(from: object, to: object): void;
  /** Does the same and removes the steps of the first event. */
  move(from: object, to: object): void;
  /** Reports the steps. `clean` redacts them when the report is first read, so that it neither delays nor fails the run. */
  settled(event: HookEvent, settled: SettledEvent, clean: (step: TracedStep) => TraceStep): void;
}

/** Returns undefined if neither the pipeline nor a hook enables a trace. */
export function createTracer(own: Tracing, hooks: readonly Hook[]): Tracer | undefined {
  const tracings = [{ hook: undefined, traced: own }, ...hooks.map(({ name, traced }) => ({ hook: name, traced }))];
  if (!tracings.some(({ traced }) => traced)) return undefined;
  const values = tracings.flatMap(({ hook, traced }) =>
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

/** Returns the steps of a settled event, or undefined without a trace. */
export function stepsOf(settled: SettledEvent): readonly TraceStep[] | undefined {
  return reports.get(settled)?.steps;
}

/** Gives the steps of a settled event to the event that is shown instead. */
export function carrySteps<E extends SettledEvent>(from: SettledEvent, to: E): E {
  const report = reports.get(from);
  if (report) reports.set(to, report);
  return to;
}

/** Returns the effect of a handler, from the event before and after it. */
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

/**
 * A settled event and the effect of every hook on it, in order. Effects on an event that never settles, because a hook failed on it, are
 * listed with the error event.
 */
export interface TraceReport {
  readonly event: SettledEvent;
  readonly steps: readonly TraceStep[];
}

/** Compares the text of a block before and after a hook, regardless of how the hook splits it. */
export interface JoinedText {
  /** Adds a piece of the input. */
  takeInput(text: string): void;
  /** Adds a piece of the output. Returns whether it continues the input; after the first difference, `undefined`. */
  takeOutput(text: string): boolean | undefined;
  /** The whole input and output, if they differ and were kept. */
  change(): { readonly before: string; readonly after: string } | undefined;
}

/** Maximum characters of a block that are kept for the trace. The change of a longer block is not reported. */
const MOST_KEPT = 20_000;

/** For one hook and one block, if there is a trace. Keeps the whole text if values are enabled. */
export function joinedTextFor({ tracer }: { readonly tracer: Tracer | undefined }): JoinedText | undefined {
  return tracer && createJoinedText(tracer.values !== undefined);
}

function createJoinedText(keep: boolean): JoinedText {
  /** The input that has not been output; `undefined` after the first difference. */
  let ahead: string | undefined = '';
  let [before, after] = ['', ''];
  return {
    takeInput(text) {
      if (keep && before.length <= MOST_KEPT) before += text;
      if (ahead !== undefined) ahead += text;
    },
    change: () =>
      keep && before !== after && before.length <= MOST_KEPT && after.length <= MOST_KEPT
        ? { before, after }
        : undefined,
    takeOutput(text) {
      if (keep && after.length <= MOST_KEPT) after += text;
      if (ahead === undefined) return undefined;
      const same = ahead.startsWith(text);
      ahead = same ? ahead.slice(text.length) : undefined;
      return same;
    },
  };
}
