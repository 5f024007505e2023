import type { Observable } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { Caller } from './chat-options.ts';
import type { ChatRequest } from './chat-request.ts';
import type { Refusal } from './refusal.ts';
import type { ChatCall } from './threads.ts';

/** A run that a client watches. */
export interface ChatRun {
  /** Stands in the log, and in what the client is told where the run fails. */
  readonly id: string;
  /** The run from its start, however late; begins with the first who subscribes. Errors are logged here already. */
  readonly events$: Observable<SettledEvent>;
  /** Whether the event that is being told was there before the one who is told came. */
  readonly replaying: () => boolean;
  /** The snapshot that it goes on from, where it does. */
  readonly resumes?: JsonObject;
  /** Names of the tools that the client runs. */
  readonly clientTools: ReadonlySet<string>;
  /** The names on the screen of the calls that it goes on with, see `CallNames`. */
  readonly named: ReadonlyMap<string, string>;
  /** The calls that wait, from the moment on that its postCall says so. */
  readonly waiting: () => readonly ChatCall[];
}

/** The ground that wires stand on: who asks, whose the thread is, what of a request counts, and what it begins. */
export interface Chat {
  /** Whose request it is; a `Response` is what to answer instead. */
  identify(request: Request): Promise<Caller | Response>;
  /** The JSON of a request, bounded; or why it is not taken. */
  read(request: Request): Promise<{ readonly json: unknown } | { readonly refusal: Refusal }>;
  /** Begins a run, or goes on with the one that waits. The same answers again give the same run, as long as it goes on here. */
  open(caller: Caller, request: ChatRequest): Promise<ChatRun | Refusal>;
  /** The run of a thread that goes on in this process, if one does. */
  running(caller: Caller, threadId: string): Promise<ChatRun | Refusal | undefined>;
}
