import type { Observable } from 'rxjs';
import type { Ask } from '../../events/decisions/ask.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { MediaReference, ToolResult } from '../../events/parts/tool-result.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Model, ModelRequest } from '../define/model.ts';
import type { Tool } from '../define/tool.ts';
import type { Lifetime } from '../flow/lifetime.ts';

/** Something for the host's user, besides what the model is told. */
export interface Delivery {
  readonly run: RunInfo;
  readonly toolCall: ToolCall;
  readonly text?: string;
  readonly media?: readonly MediaReference[];
}

/** What a suspended call was answered. It stands for its approver only if the frozen call equals `judged`. */
export interface CallAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  /** The approver that had asked. */
  readonly by: string;
  readonly judged: ToolCall;
}

/** The approvers that have asked about a call which is judged again. Without an answer from one that is missing, the call stays pending. */
export interface PendingApprovers {
  readonly by: readonly string[];
  /** What those that have no answer yet asked. */
  readonly asks?: readonly Ask[];
}

/** A sub-agent's run that has suspended the call that it was run for. */
export interface SuspendedChild {
  readonly snapshot: JsonObject;
  /** How many runs of the same agent the call had begun before. */
  readonly order: number;
}

/** A sub-agent's run that a suspended call goes on from: without `order`, the first one of that agent. */
export interface ChildResume {
  readonly snapshot: JsonObject;
  readonly order?: number;
  readonly answers: JsonObject;
}

/** Who runs, for whom. */
export interface RunOptions {
  readonly agent: string;
  /** Default: a session of its own. */
  readonly sessionId?: string;
  readonly userId?: string;
  readonly metadata?: JsonObject;
  /** What `context.ask` asks until `reason` is given a model; then that one. */
  readonly model?: Model;
  /** What hooks see as `context.transcript`. */
  readonly transcript?: () => readonly Message[];
  /** Takes what is for the user; a failure makes the tool's result an error. May give a promise or an Observable. */
  readonly deliver?: (delivery: Delivery) => unknown;
  /** Gives what stands behind `media://id` when it is delivered. Default: `deliver` gets the references as they are. */
  readonly mediaStore?: MediaStore;
  /** Approvers ask nobody and tools are not run. */
  readonly dryRun?: boolean;
  /** State that a snapshot held. */
  readonly state?: JsonObject;
  readonly parent?: { readonly run: RunInfo; readonly lifetime: Lifetime };
  readonly resumedFrom?: string;
  /** Reasonings that the run it goes on from has had. */
  readonly iteration?: number;
  /** Retries in a row that it has used up. */
  readonly retries?: number;
}

/** Of a request, all but the messages may be left out. */
export type ReasoningInput = Partial<Omit<ModelRequest, 'messages'>> & {
  readonly messages: readonly Message[];
  readonly purpose?: 'step' | 'summary';
};

/** How one call is run when it is not new. */
export interface ActingOptions {
  /** Ends the call before the run ends, with its siblings say. */
  readonly lifetime?: Lifetime;
  /** Why the call is not to be started at all. */
  readonly skip?: string;
  /** What the call came to, where a host has run it by itself: only postActing is left. */
  readonly result?: ToolResult;
  readonly answers?: readonly CallAnswer[];
  /** Set for a call that was suspended before. */
  readonly pending?: PendingApprovers;
  readonly child?: ChildResume;
  /** Is waited for before the judged tool runs: a call may have to wait for others. */
  readonly turn?: (tool: Tool) => Observable<unknown> | undefined;
}

/** How a run ends. */
export type CallEnding = Pick<PostCall, 'outcome' | 'message' | 'reason' | 'usage' | 'snapshot'>;

/** One run on a pipeline: the phases that every loop is built of. All are cold; unsubscribing from one cancels it. */
export interface Run {
  readonly info: RunInfo;
  readonly lifetime: Lifetime;
  /** Begins the run with this call's input: preCall. */
  begin(messages: readonly Message[]): Observable<SettledEvent>;
  /** Asks the model: preReasoning, chunks, postReasoning; an error event stands last when it failed. */
  reason(request: ReasoningInput, model: Model): Observable<SettledEvent>;
  /** Runs one tool: preActing, chunks, postActing. Resolves it, among `tools` and those that hooks bring, by the name that the hooks leave. */
  act(toolCall: ToolCall, tools: readonly Tool[], options?: ActingOptions): Observable<SettledEvent>;
  /** Says that something outside the phases failed: an error event, which hooks may recover from. */
  fail(thrown: unknown): Observable<SettledEvent>;
  /** Ends the run: postCall. `finalize` gets the event before it settles, to write down what it says; if that fails, so has the run. */
  end(ending: CallEnding, finalize?: (post: PostCall) => Observable<unknown> | undefined): Observable<SettledEvent>;
  /** The sub-agent's run that suspended the call of that id, if one did. */
  suspendedChild(toolCallId: string): SuspendedChild | undefined;
  /** The names of the approvers that are in force, for a snapshot. */
  readonly approvers: readonly string[];
  /** The state of the run, for a snapshot. */
  state(): JsonObject;
  /** How many reasonings there have been. */
  readonly iteration: number;
  /** Retries in a row. */
  readonly retries: number;
  /** What hooks have used so far by `context.ask`; `end` adds it to the usage that it is given. */
  readonly askedUsage: Usage | undefined;
  /** What the run has failed of, once it cannot go on. */
  readonly fatal: unknown;
  /** What a hook answered to a failure outside the reasonings. */
  readonly recovered: Message | undefined;
  /** The text that got out of a reasoning that did not come to its end. */
  unfinished(): Message | undefined;
  cancel(reason?: string): void;
}

/** Media that a store has: the data itself (bytes, or a base64 string), or an `https:` or `data:` URL where they are. */
export type StoredMedia =
  | { readonly mediaType: string; readonly data: Uint8Array | string }
  | { readonly url: string; readonly mediaType?: string };

/** The port that gives the media behind `media://id`. Throwing, or failing later, says that there are none. */
export interface MediaStore {
  resolve(id: string): StoredMedia | Promise<StoredMedia> | Observable<StoredMedia>;
}
