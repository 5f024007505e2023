import { HooklineError } from '../../../errors.ts';
import type { RunPlace } from '../../approvals/run-place.ts';
import type { RunHead } from '../../records/run-head.ts';
import type { LostRun, RunRecords } from '../../records/run-records.ts';
import type { RunKey } from '../../run-store/run-store.ts';
import type { RunView } from '../run-view.ts';
import type { RunsOptions } from '../runs.ts';
import { cancelLostRun } from './cancel-lost-run.ts';
import { type TakeOverParts, takeOverRun } from './take-over-run.ts';

/** Takes over the runs of other servers that are gone. */
export interface TakeOvers {
  /** Whether this server will take over a lost run. Until then, the run counts as active. */
  waits(key: RunKey, head: RunHead): boolean;
  /** Whether a run has no server now, although it counts as active. */
  isLost(key: RunKey): Promise<boolean>;
  /** Ends such a run as cancelled. Returns false if a server has it. Another server may continue it at the same time. */
  cancel(key: RunKey): Promise<boolean>;
  /** Shows a run that another server has taken from this one as that one recorded it, and as ended until it does so. */
  showTaken(last: RunView): Promise<void>;
  /** Looks for lost runs now and then, until the returned function is called. */
  start(): () => void;
}

interface Parts extends TakeOverParts {
  readonly records: TakeOverParts['records'] & Pick<RunRecords, 'lost' | 'lostRun' | 'find'>;
  readonly place: RunPlace | undefined;
  /** Whether this server has the run. After a pause of the process, its own runs look lost. */
  readonly isActive: (runId: string) => boolean;
}

/** Interval of the check for lost runs, in milliseconds. */
const CHECK_MS = 1_000;
/** Attempts to take over a run, and the least time after each, in milliseconds. After a take-over, the run is lost again only when its head is old. */
const MOST_ATTEMPTS = 5;
const AGAIN_MS = 2_000;
/** Age of a lost run from which on it is not taken over, in milliseconds. Its user has seen it as failed, and may have started another. */
const MOST_AGE_MS = 24 * 3_600_000;
/** Time after which the attempts of a run are forgotten that is no longer lost, in milliseconds. */
const FORGET_MS = 600_000;
/** After a pause of this process of that length, the other servers may have been paused, too: time for their next sign, in milliseconds. */
const PAUSE_MS = 10_000;
const SIGN_MS = 30_000;

/** Throws `OPTIONS_INVALID` without a store from which another process can continue a run, and without the port that does so. */
export function assertTakesOver({ runStore, recover }: Pick<RunsOptions, 'runStore' | 'recover'>): void {
  const what = 'createRuns({ takeOver: true }) needs';
  if (!runStore?.takeOver) {
    const which = `a run store that survives this process${runStore ? ', and this one has no takeOver()' : ''}`;
    const fix = 'Use fileRunStore() or natsBackplane(), or omit takeOver.';
    throw new HooklineError('OPTIONS_INVALID', `${what} ${which}. ${fix}`);
  }
  if (recover) return;
  const fix = 'Pass ...agentPorts(..), which has it, or omit takeOver.';
  throw new HooklineError(
    'OPTIONS_INVALID',
    `${what} the port recover(), which continues a run from its events. ${fix}`,
  );
}

export function createTakeOvers(parts: Parts): TakeOvers {
  const { records, place, log } = parts;
  const failed = new Map<string, { readonly count: number; readonly at: number }>();
  const taking = new Set<string>();
  let checkedAt = Date.now();
  let quietUntil = 0;

  const waits: TakeOvers['waits'] = ({ runId }, head) =>
    head.place !== undefined &&
    head.place.workspace === place?.workspace &&
    Date.now() - Date.parse(head.at) < MOST_AGE_MS &&
    (failed.get(runId)?.count ?? 0) < MOST_ATTEMPTS;

  async function check(): Promise<void> {
    const now = Date.now();
    if (now - checkedAt > PAUSE_MS) quietUntil = now + SIGN_MS;
    checkedAt = now;
    if (now < quietUntil) return;
    const all = await records.lost();
    for (const [runId, { at }] of failed)
      if (now - at > FORGET_MS && !all.some(({ key }) => key.runId === runId)) failed.delete(runId);
    for (const lost of all) if (isDue(lost)) attempt(lost);
  }

  function isDue({ key, head }: LostRun): boolean {
    const { count, at } = failed.get(key.runId) ?? { count: 0, at: 0 };
    const isBusy = taking.has(key.runId) || parts.isActive(key.runId);
    return waits(key, head) && !isBusy && Date.now() - at >= AGAIN_MS * Math.max(1, count);
  }

  function attempt(lost: LostRun): void {
    const { runId } = lost.key;
    taking.add(runId);
    // The session is busy, or this server has too many runs now.
    let isEarly = false;
    const admit: Parts['admit'] = (...to) => {
      try {
        parts.admit(...to);
      } catch (thrown) {
        isEarly = true;
        throw thrown;
      }
    };
    void takeOverRun(lost, { ...parts, admit })
      .then(
        () => failed.delete(runId),
        (err: unknown) => {
          const count = failed.get(runId)?.count ?? 0;
          failed.set(runId, { count: isEarly ? count : count + 1, at: Date.now() });
          const next = count + 1 < MOST_ATTEMPTS ? 'it is tried again' : 'it counts as failed';
          if (!isEarly) log?.error({ err, runId, attempt: count + 1 }, `a run could not be taken over; ${next}`);
        },
      )
      .finally(() => taking.delete(runId));
  }

  /** After a failed attempt, this server is the writer of the run, and the run is lost. */
  const find = async (key: RunKey) => {
    const lost = await records.lostRun(key, failed.has(key.runId));
    return parts.isActive(key.runId) ? undefined : lost;
  };

  return {
    waits,
    isLost: async (key) => (await find(key)) !== undefined,
    async cancel(key) {
      const { runId } = key;
      const lost = await find(key);
      // The attempt to continue it, or another request, decides.
      if (taking.has(runId)) return true;
      if (!lost) return false;
      taking.add(runId);
      try {
        await cancelLostRun(lost, parts);
      } finally {
        taking.delete(runId);
      }
      failed.delete(runId);
      return true;
    },
    async showTaken(last) {
      const { runId, user = '' } = last;
      const recorded = await records.find({ user, runId }).catch(() => undefined);
      const { doing: _doing, paused: _paused, waiting: _waiting, ...view } = last;
      const reason = 'Another server has taken over the run.';
      const ended: RunView = { ...view, state: 'ended', reason, endedAt: new Date().toISOString() };
      parts.onView(recorded && recorded.state !== 'running' ? recorded : ended);
    },
    start() {
      const report = (err: unknown) => log?.error({ err }, 'lost runs cannot be listed');
      const timer = setInterval(() => void check().catch(report), CHECK_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
