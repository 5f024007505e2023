import type { Logger } from 'pino';
import type { z } from 'zod';
import type { RunWatcher } from '../../agent/run-watcher.ts';
import type { Message } from '../../events/parts/message.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { TranscriptStore } from '../../store/transcripts/transcript-store.ts';
import type { AnswerBody } from '../approvals/answer-body.ts';
import type { AnswerOutcome } from '../approvals/answer-outcome.ts';
import type { Answerer } from '../approvals/answerer-of.ts';
import type { Approval } from '../approvals/approval.ts';
import type { RunPlace } from '../approvals/run-place.ts';
import type { RunStore } from '../run-store/run-store.ts';
import type { Activities } from '../screens/activity.ts';
import type { HookStatistics } from '../screens/hook-statistics.ts';
import type { Session } from '../screens/sessions.ts';
import type { runLimitsSchema } from './run-limits.ts';
import type { RunPorts, RunRequest } from './run-ports.ts';
import type { RunControl, RunView } from './run-view.ts';
import type { RunFilter, RunPage } from './view/run-page.ts';
import type { PriceTable } from './view/run-prices.ts';

/** Pending calls of active runs. Those of another server are answered there. */
export type RunsInbox = Pick<Inbox, 'list' | 'changes$'> & {
  answer(...args: Parameters<Inbox['answer']>): ReturnType<Inbox['answer']> | Promise<ReturnType<Inbox['answer']>>;
};

/** Options of `createRuns`. Without `start`, clients cannot start runs (409). */
export interface RunsOptions extends Partial<RunPorts> {
  /** Stores suspended runs. */
  readonly store: DocumentStore;
  /** Stores runs, their events and answered approvals. Default: in memory, without events. */
  readonly runStore?: RunStore;
  /** The transcripts of the agents. `load` shows them, and `begin` receives the IDs of new sessions. */
  readonly transcript?: Pick<TranscriptStore, 'load' | 'begin'>;
  /** Pending calls of active runs, for hooks with `askBy: 'inbox'`. They are listed with those of suspended runs. */
  readonly inbox?: RunsInbox;
  /** Sends changes of runs to screens. Default: those of this server. */
  readonly activities?: Activities;
  /** Sends a control to the server that has an active run of this store. Returns false if none has it. */
  readonly controlElsewhere?: (user: string, runId: string, control: RunControl) => Promise<boolean>;
  /** The tools of the agents (default: none). An edited input that is invalid for its tool is rejected (422), and the call stays pending. */
  readonly tools?: readonly Tool[];
  /** Takes over active runs of this workspace whose server has ended. Requires `recover` and a run store with `takeOver`. Default: they count as failed. */
  readonly takeOver?: boolean;
  /** The workspace of these runs. Approvals show it, and answers to suspended runs of another workspace are rejected (409). */
  readonly place?: RunPlace;
  /** Returns the prices of models, for the cost of runs. Read when a run starts (default: no cost). */
  readonly prices?: () => PriceTable | undefined;
  readonly log?: Logger;
  readonly limits?: z.input<typeof runLimitsSchema>;
}

/** A request for a run (default of `sessionId`: a new session). */
export type StartRequest = Omit<RunRequest, 'user' | 'sessionId' | 'prompt'> & {
  readonly prompt?: string;
  readonly sessionId?: string;
};

/** The runs of this server, and the suspended ones of its store. Runs of other users are not found. */
export interface Runs extends RunWatcher {
  /** Whether clients can start runs. */
  readonly startsRuns: boolean;
  /** Resolves when the run has started. Rejected if the session is busy (409) or a limit is reached (429, 503). */
  start(user: string, request: StartRequest): Promise<RunView>;
  /** Lists runs, newest first, of a user or of all users. Runs that resumed each other are one. */
  list(user: string | undefined, limit: number, after?: string, wanted?: RunFilter): Promise<RunPage>;
  /** Lists sessions, most recently used first, of a user or of all users. */
  sessions(user: string | undefined): Promise<readonly Session[]>;
  /** The messages of a session. */
  transcript(user: string, sessionId: string): Promise<readonly Message[]>;
  /** Streams changes of the user's runs, with `all` of all users' runs and, with `approves`, of the approvals that the user may answer. */
  activity(who: Answerer, options: { readonly approves: boolean; readonly all?: boolean }): ReadableStream<Uint8Array>;
  /** Returns the owner of a run; undefined if it does not exist. */
  ownerOf(runId: string): Promise<string | undefined>;
  find(user: string, runId: string): Promise<RunView>;
  /** Makes an active run end with one last model step without tools. Other runs do not change. Rejects (409) if no server responds for the run. */
  interrupt(user: string, runId: string): Promise<RunView>;
  /**
   * Holds an active run before its next model request and its next tool call, until it is continued, cancelled or interrupted. Rejects (409) if
   * the run is not active, or its loop cannot be paused.
   */
  pause(user: string, runId: string): Promise<RunView>;
  /** Ends a pause. Rejects like `pause`. */
  continue(user: string, runId: string): Promise<RunView>;
  /** Cancels an active or suspended run, also one whose server has ended. Rejects (409) if another server has it and does not respond. */
  cancel(user: string, runId: string): Promise<RunView>;
  /**
   * Server-sent events after the one with this id; undefined if there are no more. `hangUp` closes a connection that stopped reading. The stream
   * counts for `reader` (default: the owner).
   */
  events(
    user: string,
    runId: string,
    lastId?: string,
    hangUp?: () => void,
    reader?: string,
  ): Promise<ReadableStream<Uint8Array> | undefined>;
  /** The stored events of a run as a recording (JSON Lines). */
  recording(user: string, runId: string): Promise<ReadableStream<Uint8Array>>;
  /** Statistics of the hooks in traced runs: of this server since its start, or of all servers of the store in the last days. */
  hookStatistics(days?: number): Promise<HookStatistics>;
  approvals(who: Answerer): Promise<readonly Approval[]>;
  /** A pending call, with the last steps of its run. */
  approval(who: Answerer, id: string): Promise<Approval & { readonly events: readonly JsonObject[] }>;
  answer(who: Answerer, approval: string, body: AnswerBody): Promise<AnswerOutcome>;
  /** Whether all events of an active run, or the run of this sub-agent, are stored where other servers read them. */
  stored(runId: string): Promise<boolean>;
  /** Rejects new runs, waits `graceMs` for active ones, then cancels them. Resolves when all have ended and their clients have the last event. */
  drain(graceMs: number): Promise<void>;
}
