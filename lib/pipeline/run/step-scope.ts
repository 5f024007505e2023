import type { Subscriber } from 'rxjs';
import type { ErrorEvent } from '../../events/error-event.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { EditedCall } from '../../events/parts/edited-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { Vault } from '../calls/vault.ts';
import { createLifetime, type Lifetime } from '../flow/lifetime.ts';
import type { AroundTrace } from '../trace/around-trace.ts';
import type { RecordedStep } from '../trace/read-step.ts';
import type { RunScope } from './run-scope.ts';
import type { StepFailure } from './step-failure.ts';

/** Maximum edits of one call by answers. */
const MOST_EDITS = 8;

/** An active phase: the common state of its gates, lanes and wrappers. */
export interface StepScope {
  readonly scope: RunScope;
  readonly phase: ErrorEvent['phase'];
  readonly lifetime: Lifetime;
  /** Receives events at once. Chunks are emitted here, independent of the events that a process yields. */
  consumer: Pick<Subscriber<SettledEvent>, 'next'> | undefined;
  /** Counts from 1. Chunks carry it. */
  attempt: number;
  /** The latest attempt with an emitted chunk; 0 before. */
  shown: number;
  /** Failures of hooks after which the step continues. They become error events after the gate. */
  tolerated: StepFailure[] | undefined;
  /** In the acting phase: the current call and its permission. */
  toolCall?: ToolCall;
  permission?: Permission;
  vault?: Vault;
  /** The call as answers have edited it. */
  edits?: readonly EditedCall[];
  /** The effects of the wrappers, if a trace is enabled. */
  arounds?: AroundTrace | undefined;
  /** The changes of hooks to the text of ended blocks, if values are enabled. */
  texts?: Omit<RecordedStep, 'before' | 'after'>[] | undefined;
}

/** Begins a phase. It ends with `parent` at the latest. */
export function createStep(scope: RunScope, phase: ErrorEvent['phase'], parent: Lifetime = scope.lifetime): StepScope {
  return {
    scope,
    phase,
    lifetime: createLifetime(parent),
    consumer: undefined,
    attempt: 1,
    shown: 0,
    tolerated: undefined,
  };
}

/** Adds the effects of wrappers and the changes of streamed text to the event that ends the step. */
export function notifyStep(step: StepScope, event: object): void {
  for (const text of step.texts ?? []) step.scope.tracer?.step({ ...text, before: event, after: event });
  step.arounds?.settle(event);
  step.texts = undefined;
  step.arounds = undefined;
}

/** Records the call to judge instead of the current one. Returns false if it was edited too often. */
export function noteEdit(step: StepScope, edit: EditedCall): boolean {
  const { edits = [] } = step;
  if (edits.length >= MOST_EDITS) return false;
  step.edits = [...edits, edit];
  return true;
}

/** Continues after a failure, which is reported later. */
export function tolerate(step: StepScope, failure: StepFailure): void {
  step.tolerated ??= [];
  step.tolerated.push(failure);
}

/** Takes the failures to report. */
export function takeTolerated(step: StepScope): readonly StepFailure[] {
  const tolerated = step.tolerated ?? [];
  step.tolerated = undefined;
  return tolerated;
}
