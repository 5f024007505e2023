import type { Observable, OperatorFunction } from 'rxjs';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { EventOf, EventType, HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Permission, ToolDescription } from '../../events/parts/tool-description.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { HookContext } from './hook-context.ts';
import type { Model, ModelChunk, ModelRequest } from './model.ts';
import type { Tool, ToolItem } from './tool.ts';

type Later<T> = T | Promise<T> | Observable<T>;

/** What a gate handler may give: nothing (unchanged), or one event of the same type and run. */
export type GateReturn<E> = Later<E> | Later<E | undefined> | Later<void> | undefined | void;

/** What a chunk handler may give: as a gate handler, or any number of chunks; an empty array or `EMPTY` drops the chunk. */
export type ChunkReturn<E> = GateReturn<E> | readonly E[] | Promise<readonly E[]>;

/** What a handler may return: the event, changed or not, nothing for unchanged, or a promise or Observable of it. */
export type HandlerReturn<E extends HookEvent> =
  E extends EventOf<'reasoningChunk' | 'actingChunk'> ? ChunkReturn<E> : GateReturn<E>;

/** A function that gets an event and its context, and returns what `HandlerReturn` allows. */
export type Handler<T extends EventType> = (event: EventOf<T>, context: HookContext) => HandlerReturn<EventOf<T>>;

/** One handler for each type of event, all optional. */
export type Handlers = { readonly [T in EventType]?: Handler<T> };

/** One function for all events. */
export type AnyHandler = (event: HookEvent, context: HookContext) => ChunkReturn<HookEvent>;

type Through<T extends 'reasoningChunk' | 'actingChunk'> = (
  chunks$: Observable<EventOf<T>>,
  context: HookContext,
) => ReturnType<OperatorFunction<EventOf<T>, EventOf<T>>>;

/** RxJS operators over the chunks of one block; made anew for each block and attempt, they flush when `chunks$` completes. */
export interface ChunkOperators {
  readonly reasoningChunk?: Through<'reasoningChunk'>;
  readonly actingChunk?: Through<'actingChunk'>;
}

/** Asks the model, with another request or another model if they are given. */
export interface AskNext {
  (request?: Partial<ModelRequest>, model?: Model): Observable<ModelChunk>;
  /** Calls back when hooks are done with all chunks that came; at once if they are. A model that is pulled is not asked for more before. */
  whenIdle(callback: () => void): void;
}

/**
 * Wraps the step itself. Each subscription to what `next` gives is an attempt of its own, and so is what a wrapper gives after its `next`
 * has failed: it withdraws what came before. What it appends after `next` has completed belongs to the same attempt.
 */
export interface Wrappers {
  readonly reasoning?: (
    /** With messages, tools, model and options as wrappers outside this one ask for them. */
    event: SettledEvent<EventOf<'preReasoning'>>,
    /** Asks the model; members of `request` replace those of the event. With `model`, another model is asked. */
    next: AskNext,
    context: HookContext,
  ) => Observable<ModelChunk>;
  readonly acting?: (
    event: SettledEvent<EventOf<'preActing'>>,
    next: () => Observable<ToolItem>,
    context: HookContext,
  ) => Observable<ToolItem>;
}

/**
 * Judges the frozen call: what it sees is what runs. An Observable emits exactly one verdict and completes, both within `timeoutMs`. A
 * second verdict, none, an error and a timeout deny the call.
 */
export type Approver = (event: EventOf<'preActing'>, context: HookContext) => Later<Verdict>;

/**
 * Takes secrets out of a text that no hook can change: a reason, a prompt, a note, what an error says, the name of a tool that does not
 * exist, a line of the trace. What it throws, or anything but a text, withholds the whole text.
 */
export type Redact = (text: string) => string;

/**
 * Sees every event after it has settled. What it gives is waited for by `pipeline.flush()` only. With `traced`, `steps` is what every hook did
 * to the event, in order.
 */
export type ObserveHandler = (event: SettledEvent, context: HookContext, steps?: readonly TraceStep[]) => unknown;

/**
 * Whether a trace is wanted. With `values` it also shows what stood at each path before and after a change, bounded. All texts of them go
 * through the redacting hooks of the run first, and then through this.
 */
export type Tracing = boolean | { readonly values: Redact };

/** Where a hook applies. Strings are exact names or globs (`*`, `?`). Tools and permissions restrict tool events only. */
export interface HookMatch {
  readonly tools?: readonly (string | RegExp)[];
  readonly permissions?: readonly Permission[];
  readonly agents?: readonly (string | RegExp)[];
}

/** `block`: when the hook fails, nothing unjudged gets through. `skip`: the hook is skipped. Approvers always block. */
export type FailurePolicy = 'block' | 'skip';

/** A hook as its author writes it; every part but the name is optional. */
export interface HookDefinition {
  readonly name: string;
  readonly description?: string;
  /** Lower first, default 100; see `HookPriority`. Ties run in the order of registration. */
  readonly priority?: number;
  /** Where `around` stands among the wrappers: the lowest is outermost. Default: `priority`. */
  readonly aroundPriority?: number;
  readonly match?: HookMatch;
  readonly on?: Handlers | AnyHandler;
  readonly through?: ChunkOperators;
  readonly around?: Wrappers;
  readonly approve?: Approver;
  /**
   * Whether `approve` denies every call of a tool, whatever it says: who lists tools may leave it out. With `input`, whether it would not
   * allow this call without a question: a text that a hook reads is left out then. Asked at once, and often.
   */
  readonly denies?: (call: Pick<ToolDescription, 'name' | 'permission'> & { readonly input?: JsonObject }) => boolean;
  readonly observe?: ObserveHandler;
  /** Whether `observe` is told what every hook did. A pipeline with such a hook is traced, which takes some time at each handler. */
  readonly traced?: Tracing;
  /** Takes out of a text what nobody is to read. Asked at once, and often. */
  readonly redact?: Redact;
  /** Tools that the hook brings. */
  readonly tools?: readonly Tool[];
  readonly onFailure?: FailurePolicy;
  /** Milliseconds for each call of a handler; default 5,000 (`approve` 60,000, `observe` 500). `Infinity` where it bounds itself. */
  readonly timeoutMs?: number;
  /** Says that applying the hook twice gives what once gives; `hookContract` checks it. */
  readonly idempotent?: boolean;
}

/** A checked hook. `define-hook` makes them. */
export interface Hook extends HookDefinition {
  readonly priority: number;
  readonly onFailure: FailurePolicy;
}

/** The usual bands of `priority`: lower runs first, 100 is the default. */
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

/** What an approver says of a frozen call. `note` stands on the event then, with the name of the hook: who was asked, say. */
export type Verdict =
  /** `reason` is for the trace alone. With another `input`, nothing runs yet: the edited call goes through all handlers and approvers again. */
  | { readonly verdict: 'approved'; readonly reason?: string; readonly note?: NoteInput; readonly input?: JsonObject }
  | { readonly verdict: 'denied'; readonly reason: string; readonly note?: NoteInput }
  | { readonly verdict: 'suspended'; readonly prompt: string };

const ALLOWED: Verdict = Object.freeze({ verdict: 'approved' });

/** What an approver may say. */
export const verdict = {
  /** The call may run, as far as this approver is concerned. */
  allow: (): Verdict => ALLOWED,
  /** The call must not run; the model is told `reason`. */
  deny: (reason: string): Verdict => ({ verdict: 'denied', reason }),
  /** Somebody must be asked first: the run is suspended with `prompt` and a snapshot to resume from. */
  suspend: (prompt: string): Verdict => ({ verdict: 'suspended', prompt }),
} as const;

/**
 * What one hook did to one event. `paths` of a change; `ms` of its own time, which for `around` is that of the step inside, too.
 *
 * What wrappers did stands with the event that their step ends in (postReasoning, postActing or error), once for each time that one was
 * called: `passed` asked once and gave what it was given, `changed` is anything else, an answer without `next` included.
 */
export interface TraceStep {
  readonly hook: string;
  readonly priority: number;
  readonly stage: 'on' | 'through' | 'around' | 'approve';
  readonly effect: 'passed' | 'changed' | 'decided' | 'skipped' | 'failed';
  readonly paths?: readonly string[];
  /** What stood at the first twenty paths, where values are wanted. Wrappers do not tell. */
  readonly changes?: readonly TraceChange[];
  readonly decision?: string;
  readonly reason?: string;
  readonly ms: number;
}

/**
 * What stood at a path before and after; absent: there was nothing. A value of more than 4,000 characters of JSON is `cut`: it is the
 * beginning of a text, or of the JSON of anything else.
 */
export interface TraceChange {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly cut?: true;
}
