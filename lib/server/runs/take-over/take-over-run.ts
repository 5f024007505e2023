import type { Logger } from 'pino';
import { ownSession } from '../../../chat/own-session.ts';
import { hasCode } from '../../../errors/has-code.ts';
import type { LostRun } from '../../records/run-records.ts';
import { ownerOf, type RecoveredRun } from '../run-ports.ts';
import type { RunView } from '../run-view.ts';
import type { TrackedRun } from '../tracked-run.ts';
import { type ClaimParts, claimRun } from './claim-run.ts';
import { journalOf } from './journal-of.ts';

export interface TakeOverParts extends ClaimParts {
  /** Throws if no run may start in that session now. */
  readonly admit: (user: string, session: string) => void;
  /** Continues a run as a new one. */
  readonly recover: (run: RecoveredRun, before: RunView) => TrackedRun;
  readonly log: Logger | undefined;
}

/**
 * How often a run and those that continue it are taken over. Such a run may be the reason why its servers end. Each attempt counts, also one that fails
 * for a reason of its server, because it is counted before it begins.
 */
const MOST_TAKE_OVERS = 10;
/** How often its journal may be rejected. Another server may have the agent of the run. */
const MOST_REJECTED = 3;

/** Takes over a lost run. Resolves if it continues or has ended, here or elsewhere. Rejects if another attempt may succeed. */
export async function takeOverRun({ key, head }: LostRun, parts: TakeOverParts): Promise<void> {
  const session = ownSession(key.user, head.view.sessionId);
  const claimed = await claimRun({ key, head }, parts, () => parts.admit(key.user, session));
  if (!claimed) return undefined;
  const { log, takeOvers, active, end } = claimed;
  const fail = (reason: string) => end({ outcome: 'failed', reason });
  if (log.cut) return fail('The server ended while the run was active, and the record of the run is damaged.');
  if (takeOvers > MOST_TAKE_OVERS)
    return fail(`The run was taken over ${MOST_TAKE_OVERS} times without success. Start a new run.`);
  const { writeAhead = false, maxIterations } = head;
  const tracked = parts.recover(
    {
      journal: journalOf(log.entries, key.runId, session),
      writeAhead,
      owner: ownerOf(key.user, active.scope),
      sessionId: session,
      takeOvers,
      ...(maxIterations !== undefined && { maxIterations }),
    },
    { user: key.user, ...active },
  );
  try {
    const { runId: resumedBy } = await tracked.begun;
    parts.log?.warn({ runId: key.runId, resumedBy }, 'the server of a run has ended; the run continues here');
    return end({ resumedBy });
  } catch (thrown) {
    if (!hasCode(thrown, 'RECOVERY_INVALID') || takeOvers < MOST_REJECTED) throw thrown;
    return fail(`The server ended while the run was active. It cannot continue: ${(thrown as Error).message}`);
  }
}
