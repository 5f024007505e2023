import type { Observable, OperatorFunction } from 'rxjs';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { EventOf, EventType, HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Permission, ToolDescription } from '../../events/parts/tool-description.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { HookContext } from './hook-context.ts';
import type { Model, ModelChunk, ModelRequest } from './model.ts';
import type { Tool, ToolItem } from './tool.ts';

type Later<T> = T | Promise<T> | Observable<T>;

/** The return value of a gate handler: nothing (unchanged), or one event of the same type and run. */
export type GateReturn<E> = Later<E> | Later<E | undefined> | Later<void> | undefined | void;

/** The return value of a chunk handler: as for a gate handler, or a list of chunks. An empty array or `EMPTY` drops the chunk. */
export type ChunkReturn<E> = GateReturn<E> | readonly E[] | Promise<readonly E[]>;

/** The return value of a handler: the event, changed or not, nothing (unchanged), or a promise or Observable of it. */
export type HandlerReturn<E extends HookEvent> =
  E extends EventOf<'reasoningChunk' | 'actingChunk'> ? ChunkReturn<E> : GateReturn<E>;

/** A function that takes an event and its context and returns `HandlerReturn`. */
export type Handler<T extends EventType> = (event: EventOf<T>, context: HookContext) => HandlerReturn<EventOf<T>>;

/** One optional handler per event type. */
export type Handlers = { readonly [T in EventType]?: Handler<T> };

/** One function for all events. */
export type AnyHandler = (event: HookEvent, context: HookContext) => ChunkReturn<HookEvent>;

type Through<T extends 'reasoningChunk' | 'actingChunk'> = (
  chunks$: Observable<EventOf<T>>,
  context: HookContext,
) => ReturnType<OperatorFunction<EventOf<T>, EventOf<T>>>;

/** RxJS operators over the chunks of one block. Created for each block and attempt, they flush when `chunks$` completes. */
export interface ChunkOperators {
  /** Operator over the chunks of the model. @example reasoningChunk: (chunks$) => chunks$.pipe(filter(({ part }) => part !== 'thinking')) */
  readonly reasoningChunk?: Through<'reasoningChunk'>;
  /** Operator over the chunks of a tool. @example actingChunk: (chunks$) => chunks$.pipe(map((chunk) => modify(chunk, { content: '..' }))) */
  readonly actingChunk?: Through<'actingChunk'>;
}

/** Sends the model request. `request` and `model` replace the current ones. */
export interface AskNext {
  (request?: Partial<ModelRequest>, model?: Model): Observable<ModelChunk>;
  /** Calls back when hooks have processed all received chunks, possibly at once. A pulled model gets no further pull before. */
  whenIdle(callback: () => void): void;
}

/**
 * Wraps the step itself. Each subscription to the Observable of `next` is an attempt. Items that a wrapper emits after its `next` failed are one,
 * too. An attempt retracts the earlier output. Items appended after `next` completed belong to the same attempt.
 */
export interface Wrappers {
  /** Wraps a model request. @example reasoning: (event, next) => next().pipe(retry(2)) */
  readonly reasoning?: (
    /** The event has the messages, tools, model and options that the outer wrappers request. */
    event: SettledEvent<EventOf<'preReasoning'>>,
    /** Sends the model request. Fields of `request` replace those of the event, and `model` replaces the model. */
    next: AskNext,
    context: HookContext,
  ) => Observable<ModelChunk>;
  /** Wraps a tool call. @example acting: (event, next) => next().pipe(timeout(5_000)) */
  readonly acting?: (
    event: SettledEvent<EventOf<'preActing'>>,
    next: () => Observable<ToolItem>,
    context: HookContext,
  ) => Observable<ToolItem>;
}

/**
 * Judges the frozen call: it runs exactly as judged. An Observable emits exactly one verdict and completes, both within `timeoutMs`. A second
 * verdict, no verdict, an error and a timeout deny the call.
 */
export type Approver = (event: EventOf<'preActing'>, context: HookContext) => Later<Verdict>;

/**
 * Removes secrets from a text that no hook can change. These are reasons, prompts, notes, error messages, names of unknown tools and trace lines.
 * If it throws or returns anything but a string, the whole text is withheld.
 */
export type Redact = (text: string, run?: HookContext['run']) => string;

/**
 * Sees every event after it has settled. Only `pipeline.flush()` waits for its result. With `traced`, `steps` lists the effect of every hook on the
 * event, in order.
 */
export type ObserveHandler = (event: SettledEvent, context: HookContext, steps?: readonly TraceStep[]) => unknown;

/**
 * Enables a trace. With `values`, it also contains the values at each path before and after a change, up to a limit. All their strings pass the
 * redacting hooks of the run, and then this function.
 */
export type Tracing = boolean | { readonly values: Redact };

/** Restricts a hook. Strings are exact names or globs (`*`, `?`). Tools and permissions restrict tool events only. */
export interface HookMatch {
  /** Tools by name. @example tools: ['run_command', 'git_*'] */
  readonly tools?: readonly (string | RegExp)[];
  /** Tools by permission. @example permissions: ['write', 'external'] */
  readonly permissions?: readonly Permission[];
  /** Agents by name. @example agents: ['researcher'] */
  readonly agents?: readonly (string | RegExp)[];
}

/** `block`: if the hook fails, no unjudged content passes. `skip`: the hook is skipped. Approvers always block. */
export type FailurePolicy = 'block' | 'skip';

/** The definition of a hook. Every field but the name is optional. */
export interface HookDefinition {
  /** Name in decisions, logs and traces, unique in a pipeline. @example name: 'no-deletes' */
  readonly name: string;
  /** Description for lists of hooks. @example description: 'Denies deletes.' */
  readonly description?: string;
  /** Lower runs first (default: 100), ties in the order of registration. @example priority: HookPriority.SECURITY */
  readonly priority?: number;
  /** Priority of `around`; the lowest is outermost (default: `priority`). @example aroundPriority: 50 */
  readonly aroundPriority?: number;
  /** What the hook applies to (default: everything). @example match: { tools: ['delete_*'] } */
  readonly match?: HookMatch;
  /** Handlers by event type, or one for all. @example on: { preActing: (event) => deny(event, 'not today') } */
  readonly on?: Handlers | AnyHandler;
  /** RxJS operators over chunks. @example through: { reasoningChunk: holdBack((text, end) => (end ? text.length : text.lastIndexOf(' ') + 1)) } */
  readonly through?: ChunkOperators;
  /** Wrappers of a step. @example around: { reasoning: (event, next) => next().pipe(retry(2)) } */
  readonly around?: Wrappers;
  /** Judges the final call. @example approve: ({ toolCall }) => (toolCall.name === 'pay' ? verdict.suspend('Pay?') : verdict.allow()) */
  readonly approve?: Approver;
  /** True if `approve` denies all calls of this tool or, with `input`, requires approval. Synchronous. @example denies: ({ name }) => name === 'pay' */
  readonly denies?: (call: Pick<ToolDescription, 'name' | 'permission'> & { readonly input?: JsonObject }) => boolean;
  /** Receives settled events. @example observe: (event) => console.log(event.type) */
  readonly observe?: ObserveHandler;
  /** Passes the effect of each hook to `observe`. Tracing costs some time at each handler. @example traced: true */
  readonly traced?: Tracing;
  /** Redacts a text, synchronously. @example redact: (text) => text.replaceAll(SECRET, '***') */
  readonly redact?: Redact;
  /** Tools that the hook adds. @example tools: [defineTool({ name: 'clock', .. })] */
  readonly tools?: readonly Tool[];
  /** Action if the hook fails (default: `block`). @example onFailure: 'skip' */
  readonly onFailure?: FailurePolicy;
  /** Timeout of each handler in ms (default: 5,000; `approve` 60,000, `observe` 500). `Infinity` disables it. @example timeoutMs: 10_000 */
  readonly timeoutMs?: number;
  /** Declares that applying the hook twice has the effect of once; `hookContract` checks it. @example idempotent: true */
  readonly idempotent?: boolean;
}

/** A checked hook, created by `defineHook`. */
export interface Hook extends HookDefinition {
  readonly priority: number;
  readonly onFailure: FailurePolicy;
}

/** The usual bands of `priority`: lower runs first (default: 100). */
export const HookPriority = {
  SECURITY: 10,
  AUTH: 20,
  VALIDATION: 50,
  PREPROCESSING: 80,
  BUSINESS: 100,
  POSTPROCESSING: 300,
  LOGGING: 500,
  METRICS: 600,
} as const;

/** The verdict of an approver on a frozen call. The event records `note` with the name of the hook, for example with the approver's name. */
export type Verdict =
  /** `reason` appears only in the trace. If `input` changes, the call does not run yet: the edited call passes all handlers and approvers again. */
  | { readonly verdict: 'approved'; readonly reason?: string; readonly note?: NoteInput; readonly input?: JsonObject }
  /** `asked`: a person was asked about this call, and did not approve it. The trace records it. */
  | { readonly verdict: 'denied'; readonly reason: string; readonly note?: NoteInput; readonly asked?: true }
  | { readonly verdict: 'suspended'; readonly prompt: string };

/** @internal The key of the pipeline of a run in its contexts. It is not one of their fields, and is not copied with them. */
export const PIPELINE: unique symbol = Symbol.for('hookline.pipeline');

/** @internal The reason in the trace if a person approved a call. Replays recognize it. */
export const APPROVED_WHEN_ASKED = 'approved when asked';

/** @internal The reason in the trace if a person declined a call. */
export const DECLINED = 'the call was declined';

const ALLOWED: Verdict = Object.freeze({ verdict: 'approved' });

/** Creates verdicts. */
export const verdict = {
  /** Allows the call, unless another approver denies it. */
  allow: (): Verdict => ALLOWED,
  /** Denies the call. The model receives `reason`. */
  deny: (reason: string): Verdict => ({ verdict: 'denied', reason }),
  /** Suspends the run with the approval prompt `prompt` and a snapshot to resume from. */
  suspend: (prompt: string): Verdict => ({ verdict: 'suspended', prompt }),
} as const;

/**
 * The effect of one hook on one event. `paths` are the changed paths. `ms` is the hook's time; for `around` it includes the inner step.
 *
 * Effects of wrappers are listed on the event that ends their step (postReasoning, postActing or error), once per call of a wrapper. `passed`: it
 * subscribed once and forwarded the output. `changed`: anything else, including an answer without `next`.
 */
export interface TraceStep {
  readonly hook: string;
  readonly priority: number;
  readonly stage: 'on' | 'through' | 'around' | 'approve';
  readonly effect: 'passed' | 'changed' | 'decided' | 'skipped' | 'failed';
  readonly paths?: readonly string[];
  /** The values at the first twenty paths, if values are enabled. Not set for wrappers. */
  readonly changes?: readonly TraceChange[];
  readonly decision?: string;
  readonly reason?: string;
  readonly ms: number;
}

/**
 * The values at a path before and after; an absent field means no value. A value with more than 4,000 characters of JSON is `cut`. The
 * field then contains the beginning of the string, or of the JSON of any other value.
 */
export interface TraceChange {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly cut?: true;
}
