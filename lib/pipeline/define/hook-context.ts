import type { Observable, SchedulerLike } from 'rxjs';
import type { HookEvent } from '../../events/hook-event.ts';
import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { Message, MessageInput } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { Lifetime } from '../flow/lifetime.ts';
import type { Logger } from '../logger.ts';
import type { Model, ModelRequest } from './model.ts';
import type { StateCell, StateKey } from './state.ts';

/** Options of a sealed value. */
export interface SealOptions {
  /** A harmless value that the tool's schema accepts like the real one. Default: the value with other letters and digits. */
  readonly decoy?: JsonValue;
}

/** The second argument of a handler, one per run and hook. After the handler, use only `run` and `log` of it. */
export interface HookContext {
  readonly run: RunInfo;
  /** The conversation so far, including this run. Read-only. */
  readonly transcript: readonly Message[];
  /** Aborts when the run is cancelled, or when this handler ends or times out. Created on first read. */
  readonly signal: AbortSignal;
  /** A child logger with the hook, agent, run and session. */
  readonly log: Logger;
  /** The clock of the pipeline. Pass it to every timer operator, so that the hook works in virtual time. */
  readonly scheduler: SchedulerLike;
  /** A value of this run, typed by the key's schema and saved in snapshots. All hooks with the key share it. */
  state<T>(key: StateKey<T>): StateCell<T>;
  /**
   * Returns a placeholder for a call's input: only `execute` gets `value`, all others see `label`. Available in `on.preActing` only. If the tool's
   * schema restricts the value, `decoy` is a harmless value that the schema accepts.
   */
  seal(label: string, value: JsonValue, options?: SealOptions): JsonObject;
  /**
   * Sends a request to a model outside the run's events: no hook sees it. Default: the run's own model. Emits one reply, or errors with the model's
   * error. Ends with the handler, and its usage counts in the run's usage.
   */
  readonly ask: Ask;
  /** The usage of all `ask` requests of this run, if the models report it. */
  readonly askedUsage: Usage | undefined;
  /**
   * Whether approvers with `denies` allow the model to read a path or an http address. Other approvers are not called, because `approve` may ask a
   * person. A hook that adds a text to a request checks this first, and omits the text if it is denied, asked about or unclear.
   */
  readonly mayRead: (place: string) => boolean;
  /** True in a dry run: ask no person and have no effects. */
  readonly dryRun: boolean;
  /** Runs a sub-agent under the same hooks except this one. Ends with the handler. Its events do not enter the stream. */
  readonly child: RunChild;
}

/** A model request of a hook. All fields but the messages are optional. A string is a user message. */
export type AskRequest = Partial<Omit<ModelRequest, 'messages'>> & { readonly messages: readonly MessageInput[] };

/** The model: a name from `createPipeline(hooks, { models })` or a model itself. Default: the run's own. */
export interface AskOptions {
  readonly model?: string | Model;
}

/** The reply of a model to a hook. */
export interface AskReply {
  readonly message: Message;
  readonly usage?: Usage;
  readonly finishReason: FinishReason;
}

/** Sends a request to a model outside the run's events: no hook sees it. Emits one reply, ends with `within`, and counts in the run's usage. */
export type Ask = (request: AskRequest, options?: AskOptions) => Observable<AskReply>;

/** A `Pipeline`. Its type cannot be imported here, because a pipeline is made of hooks. */
export interface AnyPipeline {
  readonly hooks: readonly { readonly name: string }[];
  readonly start: (options: never) => unknown;
}

/**
 * Options of a sub-agent. By default, it runs under its parent's hooks and its own. Two hooks with one name both apply, and the same object runs
 * once. `pipeline` replaces all of them.
 */
export interface ChildOptions {
  readonly pipeline?: AnyPipeline;
  readonly metadata?: JsonObject;
}

/** Links the run of a sub-agent to its parent. */
export interface ParentLink {
  readonly run: RunInfo;
  readonly pipeline: AnyPipeline;
  readonly options: ChildOptions;
  readonly lifetime: Lifetime;
  /** The snapshot to continue from when the parent is resumed. */
  readonly snapshot?: JsonObject;
  /** The answers of the resume, by key of the pending call. */
  readonly answers?: JsonObject;
}

/** An object that can run inside another run, such as an agent. */
export interface ChildAgent {
  readonly name: string;
  runChild(input: MessageInput | readonly MessageInput[], parent: ParentLink): Observable<HookEvent>;
}

/** Runs a sub-agent and emits its postCall. */
export type RunChild = (
  agent: ChildAgent,
  input: MessageInput | readonly MessageInput[],
  options?: ChildOptions,
) => Observable<PostCall>;
