import type { Logger } from 'pino';
import { ownSession } from '../../../chat/own-session.ts';
import { HooklineError } from '../../../errors.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { RunPlace } from '../../approvals/run-place.ts';
import { headOf, type RunHead } from '../../records/run-head.ts';
import type { LostRun, RunRecords } from '../../records/run-records.ts';
import type { RunKey, RunStore } from '../../run-store/run-store.ts';
import { ownerOf, type RecoveredRun } from '../run-ports.ts';
import type { RunView } from '../run-view.ts';
import type { TrackedRun } from '../tracked-run.ts';
import { endOf, journalOf } from './journal-of.ts';

/** Takes over the runs of other servers that are gone. */
export interface TakeOvers {
  /** Whether this server will take over a lost run. Until then, the run counts as active. */
  waits(key: RunKey, head: RunHead): boolean;
  /** Looks for lost runs now and then, until the returned function is called. */
  start(): () => void;
}

interface Parts {
  readonly store: RunStore;
  readonly records: Pick<RunRecords, 'lost' | 'list' | 'note'>;
  readonly place: RunPlace | undefined;
  /** Throws if no run may start in that session now. */
  readonly admit: (user: string, session: string) => void;
  /** Continues a run as a new one. */
  readonly recover: (run: RecoveredRun, before: RunView) => TrackedRun;
  /** Called with the last view of a run that continues as another one. */
  readonly onView: (view: RunView) => void;
  readonly log: Logger | undefined;
}

/** Interval of the check for lost runs, in milliseconds. */
const CHECK_MS = 1_000;
/** Attempts to take over a run, and the least time after each, in milliseconds. After a take-over, the run is lost again only when its head is old. */
const MOST_ATTEMPTS = 5;
const AGAIN_MS = 2_000;

/** Throws `OPTIONS_INVALID` for a store from which no other process can continue a run. */
export function assertTakesOver(store: RunStore | undefined): void {
  if (store?.takeOver) return;
  const what = `createRuns({ takeOver: true }) needs a run store that survives this process${store ? ', and this one has no takeOver()' : ''}`;
  throw new HooklineError('OPTIONS_INVALID', `${what}. Use fileRunStore() or natsBackplane(), or omit takeOver.`);
}

export function createTakeOvers(parts: Parts): TakeOvers {
  const { store, records, place, log } = parts;
  const failed = new Map<string, { readonly count: number; readonly at: number }>();
  const taking = new Set<string>();

  const waits: TakeOvers['waits'] = ({ runId }, head) =>
    head.place !== undefined &&
    head.place.workspace === place?.workspace &&
    (failed.get(runId)?.count ?? 0) < MOST_ATTEMPTS;

  async function check(): Promise<void> {
    for (const lost of await records.lost()) {
      const { runId } = lost.key;
      const { count, at } = failed.get(runId) ?? { count: 0, at: 0 };
      if (!waits(lost.key, lost.head) || taking.has(runId) || Date.now() - at < AGAIN_MS * count) continue;
      taking.add(runId);
      void takeOver(lost)
        .then(
          () => failed.delete(runId),
          (err: unknown) => {
            failed.set(runId, { count: count + 1, at: Date.now() });
            const next = count + 1 < MOST_ATTEMPTS ? 'it is tried again' : 'it counts as failed';
            log?.error({ err, runId, attempt: count + 1 }, `a run could not be taken over; ${next}`);
          },
        )
        .finally(() => taking.delete(runId));
    }
  }

  async function takeOver({ key, head }: LostRun): Promise<void> {
    const { doing: _, paused, ...view } = head.view;
    const end = async (how: Partial<RunView>): Promise<void> => {
      const ended: RunView = { ...view, ...how, state: 'ended', endedAt: new Date().toISOString() };
      await records.note(key, ended);
      parts.onView({ user: key.user, ...ended });
    };
    const others = await records.list(key.user);
    const next = others.find((other) => other.view.resumedFrom === key.runId);
    if (next) return end({ resumedBy: next.view.runId });
    const session = ownSession(key.user, view.sessionId);
    parts.admit(key.user, session);
    const { text, place, writeAhead } = head;
    const about = { ...(text && { text }), ...(place && { place }), ...(writeAhead && { writeAhead }) };
    const taken = headOf(view, about) as unknown as JsonObject;
    const log = await store.takeOver?.(key, head as unknown as JsonObject, taken);
    // Another server was faster, or the run goes on.
    if (!log) return undefined;
    const { entries } = log;
    if (log.cut) throw new Error('The record of the run is damaged.');
    const over = endOf(entries, key.runId);
    if (over) return end(over);
    const owner = ownerOf(key.user, view.scope);
    const journal = journalOf(entries, key.runId, session);
    const tracked = parts.recover(
      { journal, writeAhead: writeAhead === true, owner, sessionId: session },
      { user: key.user, ...view, ...(paused && { paused }) },
    );
    const { runId: resumedBy } = await tracked.begun;
    parts.log?.warn({ runId: key.runId, resumedBy }, 'the server of a run has ended; the run continues here');
    return end({ resumedBy });
  }

  return {
    waits,
    start() {
      const report = (err: unknown) => log?.error({ err }, 'lost runs cannot be listed');
      const timer = setInterval(() => void check().catch(report), CHECK_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
