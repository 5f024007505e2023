import type { Logger } from 'pino';
import { freezeEvent } from '../events/deep-freeze.ts';
import type { GateEvent, HookEvent, Settled } from '../events/hook-event.ts';
import type { Message } from '../events/message.ts';
import type { RunInfo } from '../events/run-info.ts';
import type { RunChild } from './child-agent.ts';
import type { Hook } from './hook.ts';
import type { Lease } from './lease.ts';
import type { Lifetime } from './lifetime.ts';
import type { MediaStore } from './media-store.ts';
import type { ObserverQueue } from './observer-queue.ts';
import type { Plan } from './plan.ts';
import type { Delivery, SuspendedChild } from './run.ts';
import type { Settings } from './settings.ts';
import type { StateStore } from './state.ts';
import type { StepFailure } from './step-failure.ts';
import type { Tracer } from './tracer.ts';

/** All that one run keeps while it lasts. */
export interface RunScope {
  readonly info: RunInfo;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly lifetime: Lifetime;
  readonly state: StateStore;
  readonly dryRun: boolean;
  readonly tracer: Tracer | undefined;
  readonly deliver: ((delivery: Delivery) => unknown) | undefined;
  readonly mediaStore: MediaStore | undefined;
  readonly log: Logger;
  transcript: () => readonly Message[];
  /** Runs sub-agents for a hook; their events stay out of the stream. */
  readonly children: { forHook(hook: Hook | undefined): RunChild };
  /** Tells observers and the hot stream. */
  readonly publish: (event: Settled, scope: RunScope) => void;
  readonly leases: (Lease | undefined)[];
  /** What waits for observers that take their time. */
  queues: (ObserverQueue | undefined)[] | undefined;
  suspendedChildren: Map<string, SuspendedChild> | undefined;
  iteration: number;
  seq: number;
  /** Why the run cannot go on, once it cannot. */
  fatal: StepFailure | undefined;
  /** What a hook answered to a failure outside the reasonings. */
  recovered: Message | undefined;
  /** The text that got out of a reasoning that did not come to its end. */
  unfinished: { partial(): Message | undefined } | undefined;
  /** Retries in a row. */
  retries: number;
}

/** Stamps an event with its place and time, and tells everybody who only watches. */
export function settle<E extends GateEvent>(scope: RunScope, event: E): Settled<E> {
  const seq = scope.seq;
  const time = scope.settings.scheduler.now();
  scope.seq = seq + 1;
  // The stamp comes first: V8 takes some ten times longer to add members behind a spread than before it.
  const settled = { seq, time, ...event } as Settled<E>;
  Object.freeze(settled);
  scope.tracer?.settled(event, settled);
  scope.publish(settled, scope);
  return settled;
}

/** A new gate event: frozen all the way down before the first hook sees it. */
export function gateEvent<E extends HookEvent>(event: E): E {
  return freezeEvent(event);
}
