import type { Logger } from 'pino';
import type { z } from 'zod';
import type { TranscriptStore } from '../../agent/transcript/transcript-store.ts';
import type { Message } from '../../events/parts/message.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { AnswerBody } from '../approvals/answer-body.ts';
import type { AnswerOutcome } from '../approvals/answer-outcome.ts';
import type { Answerer } from '../approvals/answerer-of.ts';
import type { Approval } from '../approvals/approval.ts';
import type { RunPlace } from '../approvals/run-place.ts';
import type { RunStore } from '../run-store/run-store.ts';
import type { HookStatistics } from '../screens/hook-statistics.ts';
import type { Session } from '../screens/sessions.ts';
import type { runLimitsSchema } from './run-limits.ts';
import type { RunFilter, RunPage } from './run-page.ts';
import type { RunPorts, RunRequest } from './run-ports.ts';
import type { RunView } from './run-view.ts';

/** What runs are made of. */
export interface RunsOptions extends RunPorts {
  /** Where suspended runs wait. */
  readonly store: DocumentStore;
  /** Where runs are recorded, their events and answered approvals. Default: those that are kept in memory, without their events. */
  readonly runStore?: RunStore;
  /** Where the agents keep their transcripts, to be read only. */
  readonly transcript?: Pick<TranscriptStore, 'load'>;
  /** Calls that wait inside runs of this process, for hooks that ask by "inbox"; shown and answered beside those of suspended runs. */
  readonly inbox?: Pick<Inbox, 'list' | 'answer' | 'changes$'>;
  /** The tools of the agents: an edited input that does not fit its tool is refused (422), and the call waits on. Default: none are known. */
  readonly tools?: readonly Tool[];
  /** Where these runs work: approvals show it, and a suspended run of another workspace is not resumed here (409). */
  readonly place?: RunPlace;
  readonly log?: Logger;
  readonly limits?: z.input<typeof runLimitsSchema>;
}

/** What somebody wants to have run. A session without a name gets a new one. */
export type RunWish = Omit<RunRequest, 'user' | 'sessionId'> & { readonly sessionId?: string };

/** The runs of this server, and the suspended ones of its store. Whatever is another user's is not there. */
export interface Runs {
  /** Resolves when the run has begun. Refused (409, 429, 503) where its session is busy or there are too many. */
  start(user: string, wish: RunWish): Promise<RunView>;
  /** The newest first. */
  list(user: string, limit: number, after?: string, wanted?: RunFilter): Promise<RunPage>;
  /** The one that was used last comes first. */
  sessions(user: string): Promise<readonly Session[]>;
  /** The messages of a session. */
  transcript(user: string, sessionId: string): Promise<readonly Message[]>;
  /** What happens to the runs of somebody and, with `approves`, to the approvals that they may answer. */
  activity(who: Answerer, approves: boolean): ReadableStream<Uint8Array>;
  find(user: string, runId: string): Promise<RunView>;
  /** Asks a running run for one last reasoning without tools, after which it ends; of any other one nothing changes. */
  interrupt(user: string, runId: string): Promise<RunView>;
  /** Cancels a running run, and gives up a suspended one. */
  cancel(user: string, runId: string): Promise<RunView>;
  /** Server-sent events after the one with that id; undefined where all is told. `hangUp` ends a connection that takes nothing. */
  events(
    user: string,
    runId: string,
    lastId?: string,
    hangUp?: () => void,
  ): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Its events as a recording (JSON Lines), as far as they are kept. */
  recording(user: string, runId: string): Promise<ReadableStream<Uint8Array>>;
  /** What hooks did in the runs of this server, where they are traced. */
  hookStatistics(): HookStatistics;
  approvals(who: Answerer): Promise<readonly Approval[]>;
  /** A call that waits, with the events around it. */
  approval(who: Answerer, id: string): Promise<Approval & { readonly events: readonly JsonObject[] }>;
  answer(who: Answerer, approval: string, body: AnswerBody): Promise<AnswerOutcome>;
  /** Takes no more runs, gives the running ones `graceMs`, then cancels them. Resolves when all have ended and their clients know. */
  drain(graceMs: number): Promise<void>;
}
