import { Subject } from 'rxjs';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import { processWide } from '../../events/values/process-wide.ts';
import type { Hook, TraceStep, Tracing } from '../define/hook.ts';
import type { NamedRedact } from '../define/plan.ts';
import { type RecordedStep, readStep } from './read-step.ts';
import type { Redacting } from './redact-text.ts';

/**
 * Collects what hooks do to events until they settle. Exists only if a trace is enabled. A key may also be the `StepFailure` of a hook
 * that blocked on an event, until it becomes an error event.
 */
export interface Tracer {
  readonly reports$: Subject<TraceReport>;
  /** Redacts the values, after the redacting hooks of the run. `undefined` if values are disabled. */
  readonly values: readonly NamedRedact[] | undefined;
  /** Adds a step to those of its event `before`, and moves them to `after`. */
  step(step: RecordedStep): void;
  /** Adds a skipped hook. */
  skip(event: object, hook: Hook, stage: TraceStep['stage'], reason: string): void;
  /** Copies the steps of one event to an event that replaces it. */
  carry(from: object, to: object): void;
  /** Does the same and removes the steps of the first event. */
  move(from: object, to: object): void;
  /** Reports the steps. They are computed when the report is first read, so that it neither delays nor fails the run. */
  settled(event: HookEvent, settled: SettledEvent, scope: Redacting): void;
}

/** Returns undefined if neither the pipeline nor a hook enables a trace. */
export function createTracer(own: Tracing, hooks: readonly Hook[]): Tracer | undefined {
  const tracings = [{ hook: undefined, traced: own }, ...hooks.map(({ name, traced }) => ({ hook: name, traced }))];
  if (!tracings.some(({ traced }) => traced)) return undefined;
  const values = tracings.flatMap(({ hook, traced }) =>
    typeof traced === 'object' ? [{ hook, redact: traced.values }] : [],
  );
  const known = new WeakMap<object, Recorded>();
  const reports$ = new Subject<TraceReport>();
  const tracer: Tracer = {
    reports$,
    values: values.length > 0 ? values : undefined,
    step(step) {
      known.set(step.after, { step, earlier: known.get(step.before) });
    },
    skip(event, hook, stage, reason) {
      tracer.step({ before: event, after: event, hook, stage, effect: { effect: 'skipped', reason }, ms: 0 });
    },
    carry(from, to) {
      const recorded = known.get(from);
      if (recorded && from !== to) known.set(to, recorded);
    },
    move(from, to) {
      tracer.carry(from, to);
      known.delete(from);
    },
    settled(event, settled, scope) {
      const recorded = known.get(event);
      if (!recorded && !reports$.observed) return;
      let steps: readonly TraceStep[] | undefined;
      const report: TraceReport = {
        event: settled,
        get steps() {
          steps ??= inOrder(recorded).map((step) => readStep(scope, step, tracer.values));
          return steps;
        },
      };
      reports.set(settled, report);
      if (reports$.observed) reports$.next(report);
    },
  };
  return tracer;
}

/** The latest step of an event, and the ones before it. */
interface Recorded {
  readonly step: RecordedStep;
  readonly earlier: Recorded | undefined;
}

function inOrder(last: Recorded | undefined): RecordedStep[] {
  const steps: RecordedStep[] = [];
  for (let at = last; at; at = at.earlier) steps.push(at.step);
  return steps.reverse();
}

const reports = processWide('reports', () => new WeakMap<SettledEvent, TraceReport>());

/** Returns the steps of a settled event. Without a trace, or if no hook received the event, it may return undefined. */
export function stepsOf(settled: SettledEvent): readonly TraceStep[] | undefined {
  return reports.get(settled)?.steps;
}

/** Gives the steps of a settled event to the event that is shown instead. */
export function carrySteps<E extends SettledEvent>(from: SettledEvent, to: E): E {
  const report = reports.get(from);
  if (report) reports.set(to, report);
  return to;
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
