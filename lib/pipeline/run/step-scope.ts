import type { Subscriber } from 'rxjs';
import type { ErrorEvent } from '../../events/error-event.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { EditedCall } from '../../events/parts/edited-call.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { Vault } from '../calls/vault.ts';
import { createLifetime, type Lifetime } from '../flow/lifetime.ts';
import type { AroundTrace } from '../trace/around-trace.ts';
import type { TracedStep } from '../trace/tracer.ts';
import type { RunScope } from './run-scope.ts';
import type { StepFailure } from './step-failure.ts';

/** So many times the answers to one call may edit it. */
const MOST_EDITS = 8;

/** One phase under way: what its gates, lanes and wrappers share. */
export interface StepScope {
  readonly scope: RunScope;
  readonly phase: ErrorEvent['phase'];
  readonly lifetime: Lifetime;
  /** Where events go at once; chunks go this way, past everything that a process yields. */
  consumer: Pick<Subscriber<SettledEvent>, 'next'> | undefined;
  /** Counts from 1; chunks carry it. */
  attempt: number;
  /** The latest attempt of which a chunk has left; 0 before. */
  shown: number;
  /** Failures of hooks that the step goes on after: to be told as error events when the gate is passed. */
  tolerated: StepFailure[] | undefined;
  /** In the acting phase: the call as it stands, and what it may touch. */
  toolCall?: ToolCall;
  permission?: Permission;
  vault?: Vault;
  /** What answers have made of the call. */
  edits?: readonly EditedCall[];
  /** What the wrappers do, when somebody asked for a trace. */
  arounds?: AroundTrace | undefined;
  /** What hooks have made of the text of blocks that are over, when somebody asked for values. */
  texts?: TracedStep[] | undefined;
}

/** Begins a phase; it ends with `parent` at the latest. */
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

/** What was done on the way to the event that a step ends in, wrappers and changes of streamed text, stands with that event. */
export function notifyStep(step: StepScope, event: object): void {
  for (const text of step.texts ?? []) step.scope.tracer?.step(event, event, text);
  step.arounds?.tell(event);
  step.texts = undefined;
  step.arounds = undefined;
}

/** Notes what is to be judged instead of the call at hand; false where it was edited too often. */
export function noteEdit(step: StepScope, edit: EditedCall): boolean {
  const { edits = [] } = step;
  if (edits.length >= MOST_EDITS) return false;
  step.edits = [...edits, edit];
  return true;
}

/** Goes on after a failure, which is to be told. */
export function tolerate(step: StepScope, failure: StepFailure): void {
  step.tolerated ??= [];
  step.tolerated.push(failure);
}

/** What is to be told, which from now on has been. */
export function takeTolerated(step: StepScope): readonly StepFailure[] {
  const tolerated = step.tolerated ?? [];
  step.tolerated = undefined;
  return tolerated;
}
