import type { SchedulerLike } from 'rxjs';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { SealOptions } from '../calls/vault.ts';
import type { Logger } from '../logger.ts';
import type { Ask } from './ask.ts';
import type { RunChild } from './child-agent.ts';
import type { StateCell, StateKey } from './state.ts';

/** What a hook is given beside the event. One per run and hook; keep nothing of it past the handler but `run` and `log`. */
export interface HookContext {
  readonly run: RunInfo;
  /** The conversation so far, this run's part included; read-only. */
  readonly transcript: readonly Message[];
  /** Aborts when the run is cancelled or this handler's time is up. Made when first read. */
  readonly signal: AbortSignal;
  /** A child logger that carries hook, agent, run and session. */
  readonly log: Logger;
  /** The one clock of the pipeline; give it to every timer operator and the hook runs in virtual time. */
  readonly scheduler: SchedulerLike;
  /** A value of this run, typed by the key's schema, saved in a snapshot. Shared by all hooks that hold the key. */
  state<T>(key: StateKey<T>): StateCell<T>;
  /**
   * A placeholder to put into a call's input: only `execute` gets `value`, everybody else sees `label`. In `on.preActing` only. Where
   * the tool's schema makes demands on the value, `decoy` is a harmless value that fits it too.
   */
  seal(label: string, value: JsonValue, options?: SealOptions): JsonObject;
  /**
   * Asks a model, the run's own unless another is named, outside the run's events: no hook sees it. Ends with the handler; what it used
   * counts in the run's usage. Emits one reply. Errors with what the model fails with.
   */
  readonly ask: Ask;
  /** True when somebody only asks what would happen: ask nobody, have no effect. */
  readonly dryRun: boolean;
  /** Runs a sub-agent under the same hooks but this one. Ends with the handler; its events do not enter the stream. */
  readonly child: RunChild;
}
