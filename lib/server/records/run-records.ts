import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Observable } from 'rxjs';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { GivenAnswer } from '../approvals/suspended-run.ts';
import type { RunKey, RunStore, StoredRun } from '../run-store/run-store.ts';
import type { RunView } from '../runs/run-view.ts';
import type { JournalLimits } from '../sse/journal.ts';
import { type About, createRecorder, type Recorder } from './recorder.ts';
import { type Replayed, replay } from './replay.ts';
import { headOf, isLost, isOwn, type RunHead, runHeadSchema, viewOf } from './run-head.ts';
import { toRecording } from './to-recording.ts';
import type { Room } from './unstored-entries.ts';

/** A recorded run, with its lower-case texts for searches. */
export interface RecordedRun {
  readonly view: RunView;
  readonly texts: readonly string[];
}

/** A run whose server has ended. */
export interface LostRun {
  readonly key: RunKey;
  readonly head: RunHead;
}

/** Records of runs in a store. */
export interface RunRecords {
  /** Returns a recorder for a new run. `onTaken` is called once if another process has taken over the run. */
  record(key: RunKey, about?: About, onTaken?: () => void): Recorder;
  /** Whether all events of an active run of this server are stored. Rejects if another process has taken over the run. */
  stored(runId: string): Promise<boolean>;
  /** Lists the runs that were active when their server ended. */
  lost(): Promise<readonly LostRun[]>;
  /** Returns a run if its server has ended while it was active or, with `orOwn`, if this process is its writer. */
  lostRun(key: RunKey, orOwn: boolean): Promise<LostRun | undefined>;
  find(key: RunKey): Promise<RunView | undefined>;
  /** Lists the runs of a user, or of all users, in no particular order. The same list while nothing changes. */
  list(user?: string): Promise<readonly RecordedRun[]>;
  /** Returns the events that clients received; undefined if none are stored. */
  journal(key: RunKey, limits: JournalLimits): Promise<Replayed | undefined>;
  /** Emits the entries of a run so far, then new ones of any server; undefined if the store cannot be followed. */
  follow(key: RunKey): Observable<readonly JsonObject[]> | undefined;
  /** Returns the events with their trace steps as lines of a recording; undefined if none are stored. */
  recording(key: RunKey): Promise<Iterable<string> | undefined>;
  /** Returns the last steps of a run: prompts, answers, calls, results and errors. Excludes chunks, model requests and snapshots. */
  steps(key: RunKey): Promise<readonly JsonObject[]>;
  /** Records the view of a run. A write error is logged. */
  note(key: RunKey, view: RunView, answers?: RunHead['answers']): Promise<void>;
  /** Returns the first answer to an approval. Without `user`, of any user's run. */
  winner(key: Partial<RunKey> & Pick<RunKey, 'runId'>, approval: string): Promise<GivenAnswer | undefined>;
}

/** Time in milliseconds after which the last record of another server counts as outdated. */
const GONE_MS = 60_000;

/** Maximum number of characters of entries that wait for a store that fails, of all runs. */
const MOST_UNSTORED = 64 * 1024 * 1024;

/** Number of heads that are parsed without a pause. */
const AT_ONCE = 100;

/** Maximum number of steps beside a pending call, without the prompt. */
const MOST_STEPS = 50;

/** Stores records of runs in a run store. A lost run that `waits` for another server counts as active. */
export function runRecords(
  store: RunStore,
  log: Logger | undefined,
  waits: (key: RunKey, head: RunHead) => boolean = () => false,
): RunRecords {
  async function head(key: RunKey): Promise<RunHead | undefined> {
    const found = await store.find(key);
    return found && parse(key, found);
  }

  const room: Room = { left: MOST_UNSTORED };
  /** The recorders of active runs. Each run has one writer, so that an old view never replaces a later one. */
  const recorders = new Map<string, Recorder>();
  /** A cache by object. Stores may return the same object for an unchanged head. */
  const known = new WeakMap<JsonObject, RunHead>();
  const recorded = new WeakMap<RunHead, RecordedRun>();
  const lists = new WeakMap<readonly StoredRun[], readonly RecordedRun[]>();

  function parse({ runId }: RunKey, found: JsonObject): RunHead | undefined {
    const before = known.get(found);
    if (before) return before;
    const parsed = runHeadSchema.safeParse(found);
    if (parsed.success) known.set(found, parsed.data);
    if (!parsed.success) log?.error({ err: parsed.error, runId }, 'the record of a run cannot be read');
    return parsed.data;
  }

  function recordedOf(key: RunKey, head: RunHead): RecordedRun {
    const before = recorded.get(head);
    if (before && before.view.state !== 'running') return before;
    const run = {
      view: { user: key.user, ...viewOf(head, GONE_MS, waits(key, head)) },
      texts: head.text === undefined ? [] : [head.text],
    };
    recorded.set(head, run);
    return run;
  }

  return {
    record(key, about, onTaken) {
      const name = nameOf(key);
      const recorder = createRecorder(store, key, { log, about, onTaken, room });
      recorders.set(name, recorder);
      return {
        ...recorder,
        async flush() {
          await recorder.flush();
          if (recorders.get(name) === recorder) recorders.delete(name);
        },
      };
    },
    async stored(runId) {
      const own = [...recorders].filter(([name]) => (JSON.parse(name) as string[])[1] === runId);
      // Of a run that is not recorded here, nothing is known.
      return own.length > 0 && (await Promise.all(own.map(([, recorder]) => recorder.stored()))).every(Boolean);
    },
    async lost() {
      const lost: LostRun[] = [];
      for (const { head: found, ...key } of await store.list()) {
        const read = parse(key, found);
        if (read && isLost(read, GONE_MS)) lost.push({ key: { user: key.user, runId: key.runId }, head: read });
      }
      return lost;
    },
    async lostRun({ user, runId }, orOwn) {
      const found = await head({ user, runId });
      const isFound = found && (isLost(found, GONE_MS) || (orOwn && isOwn(found)));
      return isFound ? { key: { user, runId }, head: found } : undefined;
    },
    async find(key) {
      const found = await head(key);
      return found && recordedOf(key, found).view;
    },
    async list(user) {
      const stored = await store.list(user);
      const before = lists.get(stored);
      if (before) return before;
      const runs: RecordedRun[] = [];
      let parsed = 0;
      for (const run of stored) {
        // The first list after a start parses all heads. Other requests are served in between.
        if (!known.has(run.head) && ++parsed % AT_ONCE === 0) await setImmediate();
        const read = parse(run, run.head);
        if (read) runs.push(recordedOf(run, read));
      }
      // Whether an active run has ended depends on its server, too.
      if (runs.every(({ view }) => view.state !== 'running')) lists.set(stored, runs);
      return runs;
    },
    async journal(key, limits) {
      const { entries, cut } = await store.read(key);
      if (entries.length === 0) return undefined;
      if (cut) log?.warn({ runId: key.runId }, 'the record of a run was truncated');
      return replay(key.runId, entries, limits);
    },
    follow: (key) => store.follow?.(key),
    async recording(key) {
      // A run that has just ended may not be written yet.
      await recorders.get(nameOf(key))?.flush();
      const { entries } = await store.read(key);
      return entries.length === 0 ? undefined : toRecording(entries);
    },
    async steps(key) {
      const { entries } = await store.read(key);
      const steps = entries.flatMap(({ event }) => (isStep(event) ? [event] : []));
      const prompts = steps.slice(0, -MOST_STEPS).filter(({ type }) => type === 'preCall');
      return [...prompts.slice(0, 1), ...steps.slice(-MOST_STEPS)];
    },
    async note(key, view, given) {
      try {
        const before = await head(key);
        const answers = given ?? before?.answers;
        const recorder = recorders.get(nameOf(key));
        if (recorder) return await recorder.conclude(view, answers);
        const next = headOf(view, { text: before?.text ?? '', ...(answers && { answers }) });
        await store.append(key, { head: next as unknown as JsonObject });
      } catch (err) {
        log?.error({ err, runId: key.runId }, 'the outcome of a run could not be recorded');
      }
    },
    async winner({ user, runId }, approval) {
      const stored = user === undefined ? (await store.list()).find((run) => run.runId === runId) : { user, runId };
      const answers = stored && (await head(stored))?.answers;
      return answers && Object.hasOwn(answers, approval) ? answers[approval] : undefined;
    },
  };
}

function nameOf({ user, runId }: RunKey): string {
  return JSON.stringify([user, runId]);
}

const stepTypes: readonly unknown[] = ['preCall', 'postReasoning', 'preActing', 'postActing', 'error'];

function isStep(event: unknown): event is JsonObject {
  return typeof event === 'object' && event !== null && stepTypes.includes((event as JsonObject)['type']);
}
