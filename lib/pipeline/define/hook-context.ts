import type { Observable, SchedulerLike } from 'rxjs';
import type { HookEvent } from '../../events/hook-event.ts';
import type { Message, MessageInput } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { FinishReason } from '../../events/post-reasoning.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { Lifetime } from '../flow/lifetime.ts';
import type { Logger } from '../logger.ts';
import type { Model, ModelRequest } from './model.ts';
import type { StateCell, StateKey } from './state.ts';

/** What may be said of a sealed value. */
export interface SealOptions {
  /** A harmless value that fits the tool's schema as the real one does. Default: the value with other letters and digits. */
  readonly decoy?: JsonValue;
}

/** What a hook is given beside the event. One per run and hook; keep nothing of it past the handler but `run` and `log`. */
export interface HookContext {
  readonly run: RunInfo;
  /** The conversation so far, this run's part included; read-only. */
  readonly transcript: readonly Message[];
  /** Aborts when the run is cancelled, or when this handler is over or its time is up. Made when first read. */
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
  /** What hooks of this run have used so far by `ask`, as far as the models told. */
  readonly askedUsage: Usage | undefined;
  /**
   * Whether approvers that have `denies` let the model read what is at a path or an http address. A hook that gives a text to the model
   * asks before; what is denied, asked about or unclear it leaves out.
   */
  readonly mayRead: (place: string) => boolean;
  /** True when somebody only asks what would happen: ask nobody, have no effect. */
  readonly dryRun: boolean;
  /** Runs a sub-agent under the same hooks but this one. Ends with the handler; its events do not enter the stream. */
  readonly child: RunChild;
}

/** What a hook asks a model: all but the messages may be left out. A text is a message of the user. */
export type AskRequest = Partial<Omit<ModelRequest, 'messages'>> & { readonly messages: readonly MessageInput[] };

/** Which model is asked: one of `createPipeline(hooks, { models })` by its name, or a model itself. Default: the run's own. */
export interface AskOptions {
  readonly model?: string | Model;
}

/** What a model answered to a hook. */
export interface AskReply {
  readonly message: Message;
  readonly usage?: Usage;
  readonly finishReason: FinishReason;
}

/** Asks a model outside the run's events: no hook hears of it. Emits one reply; ends with `within`, and counts in the run's usage. */
export type Ask = (request: AskRequest, options?: AskOptions) => Observable<AskReply>;

/** A `Pipeline`, which cannot be named here: hooks are told of sub-agents, and a pipeline is made of hooks. */
export interface AnyPipeline {
  readonly hooks: readonly { readonly name: string }[];
  readonly start: (options: never) => unknown;
}

/**
 * How a sub-agent runs. By default it runs under its parent's hooks and its own: two of one name are both in force, the same object runs once.
 * `pipeline` replaces all of them.
 */
export interface ChildOptions {
  readonly pipeline?: AnyPipeline;
  readonly metadata?: JsonObject;
}

/** What ties a sub-agent's run to its parent's. */
export interface ParentLink {
  readonly run: RunInfo;
  readonly pipeline: AnyPipeline;
  readonly options: ChildOptions;
  readonly lifetime: Lifetime;
  /** The snapshot to go on from, when the parent is resumed. */
  readonly snapshot?: JsonObject;
  /** The answers that came with the resume, by key of the pending call. */
  readonly answers?: JsonObject;
}

/** Anything that can be run inside another run. Agents are. */
export interface ChildAgent {
  readonly name: string;
  runChild(input: MessageInput | readonly MessageInput[], parent: ParentLink): Observable<HookEvent>;
}

/** Runs a sub-agent and emits its one postCall. */
export type RunChild = (
  agent: ChildAgent,
  input: MessageInput | readonly MessageInput[],
  options?: ChildOptions,
) => Observable<PostCall>;
