import { Readable } from 'node:stream';
import { refuse } from '../http/refuse.ts';
import type { RunRecords } from '../records/run-records.ts';
import { createAudience } from '../sse/audience.ts';
import { Journal } from '../sse/journal.ts';
import type { StreamQuota } from '../sse/stream-quota.ts';
import { type FollowedRun, followedRuns } from './followed-runs.ts';
import type { KeptRuns } from './kept-runs.ts';
import type { RunLimits } from './run-limits.ts';
import type { Runs } from './runs.ts';

/** Sources of the events of runs. */
interface RunEventsParts {
  readonly runs: KeptRuns;
  readonly records: RunRecords;
  readonly limits: RunLimits;
  readonly streams: StreamQuota;
  readonly find: Runs['find'];
}

/** The events of a run that is not active here. */
interface Recorded {
  readonly journal: Journal;
  readonly following?: FollowedRun;
  /** Whether the run is active at another server. */
  readonly goesOn?: boolean;
}

/** Streams the events of runs, from memory or from their records. */
export function runEvents({
  runs,
  records,
  limits,
  streams,
  find,
}: RunEventsParts): Pick<Runs, 'events' | 'recording'> {
  const followed = followedRuns({ records, limits, find });

  /** Returns the recorded events of a run. If it is active at another server, these are the events so far. */
  async function recorded(user: string, runId: string): Promise<Recorded> {
    const { state, resumedBy, outcome, reason } = await find(user, runId);
    const goesOn = state === 'running';
    const bounds = { chunks: limits.journalChunks, gates: limits.journalGates };
    const following = goesOn ? await followed.open({ user, runId }) : undefined;
    if (following) return { journal: following.journal, following, goesOn };
    const kept = await records.journal({ user, runId }, bounds);
    if (!kept) {
      if (goesOn) return { journal: new Journal(runId, bounds), goesOn };
      throw notKept(resumedBy);
    }
    const { journal, whole } = kept;
    if (goesOn) return { journal, goesOn };
    if (resumedBy !== undefined) journal.setRemark('resumed', { runId: resumedBy });
    else if (!whole) journal.setRemark('broken', { outcome, reason });
    return { journal };
  }

  /** Counts a stream of the reader. Returns the function that ends it. */
  function takeStream(reader: string, released: (() => void) | undefined): () => void {
    try {
      const release = streams.take(reader);
      return () => {
        release();
        released?.();
      };
    } catch (thrown) {
      released?.();
      throw thrown;
    }
  }

  return {
    async events(user, runId, lastId, hangUp, reader = user) {
      const found = runs.find(user, runId);
      const run = found?.journal && found;
      const { journal, goesOn, following }: Recorded = run?.journal
        ? { journal: run.journal }
        : await recorded(user, runId);
      const from = lastId === undefined ? 0 : journal.placeAfter(lastId);
      // Events that the other server has sent may not be recorded yet.
      if (goesOn && (from === undefined || journal.isOver(from))) {
        following?.released();
        return comeBack();
      }
      if (from === undefined) {
        throw refuse(
          400,
          `Last-Event-ID ${JSON.stringify(lastId)} is not the ID of an event of this run. Omit it to get all events.`,
        );
      }
      if (journal.isOver(from)) return undefined;
      const release = takeStream(reader, following?.released);
      if (run?.audience) return run.audience.open(from, hangUp, release);
      const read = following ?? { audience: createAudience(journal, limits) };
      runs.visit(read);
      return read.audience.open(from, hangUp, release);
    },
    async recording(user, runId) {
      const { resumedBy } = await find(user, runId);
      const lines = await records.recording({ user, runId });
      if (lines)
        return Readable.toWeb(Readable.from(piecesOf(lines), { objectMode: false })) as ReadableStream<Uint8Array>;
      throw notKept(resumedBy);
    },
  };
}

function notKept(resumedBy: string | undefined): Error {
  const next = resumedBy ? ` The run continues as ${resumedBy}.` : '';
  return refuse(404, `The events of the run are no longer stored.${next}`);
}

/** Time until a client should reconnect, in milliseconds. */
const AGAIN_MS = 1_000;

/** An empty stream with the time to reconnect, for a run that has no new events yet. */
function comeBack(): ReadableStream<Uint8Array> {
  return new Blob([`retry: ${AGAIN_MS}\n\n`]).stream() as ReadableStream<Uint8Array>;
}

const BATCH = 65_536;

/** Texts in pieces of a body, created when it is read. */
function* piecesOf(texts: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < BATCH) continue;
    yield encoder.encode(piece);
    piece = '';
  }
  if (piece !== '') yield encoder.encode(piece);
}
