import type { RunWatcher } from '../../../agent/run-watcher.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../../loops/pending/pending-call-record.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import type { Run } from '../../../pipeline/run/run.ts';
import type { PermissionOptions } from '../tools/permission-of.ts';
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
