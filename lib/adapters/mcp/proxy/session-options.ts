import type { HeldCall } from '../../../loops/held/held-call.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import type { Run } from '../../../pipeline/run/run.ts';
import type { PermissionOptions } from '../tools/permission-of.ts';
import type { Pins } from './pins.ts';

/** What a user has to answer. */
export const ASK_TIMEOUT_MS = 10 * 60_000;

/** What the sessions of a proxy have in common. */
export interface SessionOptions extends PermissionOptions {
  readonly pipeline: Pipeline;
  /** The agent that runs are of; hooks can be matched by it. Default: mcp. */
  readonly agent?: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly log: Logger;
  /** Whether a text was not given before: an answer counts once, whatever session it comes in. */
  readonly isNew: (text: string) => boolean;
  readonly secret: Uint8Array;
  /** Milliseconds that a user has to answer; default ten minutes. */
  readonly askTimeoutMs?: number;
  readonly pins?: Pins;
  /** Told of each run before it begins: whoever cancels it has its session refuse all calls from then on. */
  readonly onRun?: (run: Run) => void;
  /** Asks somebody about a call that an approver suspends, beside the client where that shows forms: the first answer counts. Failing is a no. */
  readonly ask?: (held: HeldCall, signal: AbortSignal) => Promise<Pick<HostAnswer, 'approved' | 'reason'>>;
}
