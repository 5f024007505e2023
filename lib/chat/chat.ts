import type { Observable } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { Caller } from './chat-options.ts';
import type { ChatRequest } from './chat-request.ts';
import type { Refusal } from './refusal.ts';
import type { editRefused } from './take-answers.ts';
import type { ChatReplay, PendingCalls } from './thread-view.ts';
import type { ChatCall } from './threads.ts';

/** A run that a client watches. */
export interface ChatRun {
  /** Identifies the run in the log, and in error responses to the client. */
  readonly id: string;
  /** The events of the run from its start, even for later subscribers. The run starts with the first subscriber. Errors are already logged. */
  readonly events$: Observable<SettledEvent>;
  /** Whether the current event is older than the subscription. */
  readonly replaying: () => boolean;
  /** The snapshot that the run resumes, if any. */
  readonly resumes?: JsonObject;
  /** Names of the tools that the client executes. */
  readonly clientTools: ReadonlySet<string>;
  /** The client's names of the resumed calls, see `CallNames`. */
  readonly named: ReadonlyMap<string, string>;
  /** The pending calls, once the run has sent its postCall. */
  readonly waiting: () => readonly ChatCall[];
}

/** A thread, as a client shows it after a reload. */
export interface ThreadView {
  /** The messages of the user, the model and the tools, oldest first. Of an active run, only the messages before it. */
  readonly messages: readonly Message[];
  /** The pending calls, unless a run is active. */
  readonly pending: PendingCalls;
  /** The active run in this process, if it can be replayed. */
  readonly run?: ChatRun;
}

/** The base of chat protocols: it identifies callers, and starts or resumes the runs of their threads. Each user has own thread ids. */
export interface Chat {
  /** Identifies the caller, or returns the `Response` of the host or a refusal. */
  identify(request: Request): Promise<Caller | Response | Refusal>;
  /** Reads the JSON of a request up to a limit, or returns a refusal. */
  read(request: Request): Promise<{ readonly json: unknown } | { readonly refusal: Refusal }>;
  /** Starts a run, or resumes the pending one. Repeated answers return the same run while it is active in this process, then its results. */
  open(caller: Caller, request: ChatRequest): Promise<ChatRun | ChatReplay | Refusal>;
  /** Returns the active run of a thread in this process, if any. */
  running(caller: Caller, threadId: string): ChatRun | undefined;
  /** Returns a thread with its messages, its pending calls and its active run, or `undefined` if there is no such thread. */
  view(caller: Caller, threadId: string): Promise<ThreadView | undefined>;
  /** Returns why an edited input is not accepted for a pending call, or `undefined`. */
  checkEdit(caller: Caller, call: Parameters<typeof editRefused>[1], input: JsonObject): Promise<Refusal | undefined>;
  /** Cancels the active runs of a thread in this process. Calls that have not started do not run. */
  stop(caller: Caller, threadId: string): Promise<void>;
}
