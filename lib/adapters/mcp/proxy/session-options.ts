import type { RunWatcher } from '../../../agent/run-watcher.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../../loops/pending/pending-call-record.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import type { Run } from '../../../pipeline/run/run.ts';
import type { PermissionOptions } from '../tools/permission-of.ts';
import type { RpcId } from './json-rpc.ts';
import type { Pins } from './pins.ts';

/** How long a user may take to answer. */
export const ASK_TIMEOUT_MS = 10 * 60_000;

/** Options that all sessions of a proxy share. */
export interface SessionOptions extends PermissionOptions {
  readonly pipeline: Pipeline;
  /** The agent name of runs, which hooks can match (default: mcp). */
  readonly agent?: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly log: Logger;
  /** Returns true if a text is new. An answer counts once, in any session. */
  readonly isNew: (text: string) => boolean;
  readonly secret: Uint8Array;
  /** How long a user may take to answer, in milliseconds (default: ten minutes). */
  readonly askTimeoutMs?: number;
  readonly pins?: Pins;
  /** Shows the runs of the proxy, for example on the page of `createRuns`. */
  readonly runs?: RunWatcher;
  /** Receives each run before it starts. If you cancel the run, its session rejects all further calls. */
  readonly onRun?: (run: Run) => void;
  /**
   * Asks for approval of a suspended call, at the same time as a client that shows forms. The first answer counts. If it fails, the call is denied.
   */
  readonly ask?: (pending: PendingCallRecord, signal: AbortSignal) => Promise<Pick<HostAnswer, 'approved' | 'reason'>>;
}

/** Receives the messages of a session, as JSON. `about` is the client's request that a message belongs to, if known. */
export interface Ends {
  /** Sends the final answer to a request of the client. */
  answer(text: string, id: RpcId | null): void;
  /** The client cancelled its request and gets no answer. */
  dropped(id: RpcId): void;
  /** Sends requests and notifications of the server. */
  toClient(text: string, about?: RpcId): void;
  toServer(text: string, about?: RpcId): void;
}

/**
 * A session between one client and one server, with hooks:
 *
 *     client ── fromClient ──► tools/call ──► hooked call: judged, then asked of the server, then its result is judged
 *                          └─► any other request ──► toServer, with texts that hooks redact
 *     server ── fromServer ──► answer of a request ──► answer
 *                          └─► request or notification ──► toClient
 *
 * IDs of the client stay those of its requests. The proxy's own requests have IDs that neither side can guess.
 */
export interface McpSession {
  fromClient(text: string): void;
  fromServer(text: string, about?: RpcId): void;
  /** Call when the server has disconnected. Pending requests are answered with `why`. Resolves when the running calls are answered. */
  serverGone(why: string): Promise<void>;
  /** Resolves when no call is running. */
  idle(): Promise<unknown>;
  /** Call when the client has disconnected. Its calls are cancelled, and the run ends. */
  end(): Promise<void>;
}
