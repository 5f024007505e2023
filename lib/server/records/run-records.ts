import type { Logger } from 'pino';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { GivenAnswer } from '../approvals/suspended-run.ts';
import type { RunKey, RunStore } from '../run-store/run-store.ts';
import type { RunView } from '../runs/run-view.ts';
import type { JournalLimits } from '../sse/journal.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type Replayed, replay } from './replay.ts';
import { headOf, type RunHead, runHeadSchema, viewOf } from './run-head.ts';
import { toRecording } from './to-recording.ts';

/** Records of runs in a store. */
export interface RunRecords {
  /** Returns a recorder for a new run. */
  record(key: RunKey): Recorder;
  find(key: RunKey): Promise<RunView | undefined>;
  /** Lists the runs of a user, in no particular order. */
  list(user: string): Promise<readonly RunView[]>;
  /** Returns the events that clients received; undefined if none are stored. */
  journal(key: RunKey, limits: JournalLimits): Promise<Replayed | undefined>;
  /** Returns the events with their trace steps as lines of a recording; undefined if none are stored. */
  recording(key: RunKey): Promise<Iterable<string> | undefined>;
  /** Returns the events around a call: the answer that contains the call, and the events of the call. Excludes snapshots. */
  around(key: RunKey, toolCallId: string): Promise<readonly JsonObject[]>;
  /** Records the view of a run. A write error is logged. */
  note(key: RunKey, view: RunView, answers?: RunHead['answers']): Promise<void>;
  /** Returns the first answer to an approval. Without `user`, of any user's run. */
  winner(key: Partial<RunKey> & Pick<RunKey, 'runId'>, approval: string): Promise<GivenAnswer | undefined>;
}

/** Time in milliseconds after which the last record of another server counts as outdated. */
const GONE_MS = 60_000;

/** Stores records of runs in a run store. */
export function runRecords(store: RunStore, log: Logger | undefined): RunRecords {
  async function head(key: RunKey): Promise<RunHead | undefined> {
    const found = await store.find(key);
    return found && parse(key, found);
  }

  /** The recorders of active runs. Each run has one writer, so that an old view never replaces a later one. */
  const recorders = new Map<string, Recorder>();
  /** A cache by object. Stores may return the same object for an unchanged head. */
  const known = new WeakMap<JsonObject, RunHead>();

  function parse({ runId }: RunKey, found: JsonObject): RunHead | undefined {
    const before = known.get(found);
    if (before) return before;
    const parsed = runHeadSchema.safeParse(found);
    if (parsed.success) known.set(found, parsed.data);
    if (!parsed.success) log?.error({ err: parsed.error, runId }, 'the record of a run cannot be read');
    return parsed.data;
  }

  return {
    record(key) {
      const name = JSON.stringify([key.user, key.runId]);
      const recorder = createRecorder(store, key, log);
      recorders.set(name, recorder);
      return {
        ...recorder,
        async flush() {
          await recorder.flush();
          if (recorders.get(name) === recorder) recorders.delete(name);
        },
      };
    },
    async find(key) {
      const found = await head(key);
      return found && viewOf(found, GONE_MS);
    },
    async list(user) {
      const runs = await store.list(user);
      return runs.flatMap((run) => {
        const read = parse(run, run.head);
        return read ? [viewOf(read, GONE_MS)] : [];
      });
    },
    async journal(key, limits) {
      const { entries, cut } = await store.read(key);
      if (entries.length === 0) return undefined;
      if (cut) log?.warn({ runId: key.runId }, 'the record of a run was truncated');
      return replay(key.runId, entries, limits);
    },
    async recording(key) {
      const { entries } = await store.read(key);
      return entries.length === 0 ? undefined : toRecording(entries);
    },
    async around(key, toolCallId) {
      const { entries } = await store.read(key);
      return entries.flatMap(({ event }) => (isObject(event) && concerns(event, toolCallId) ? [event] : []));
    },
    async note(key, view, given) {
      try {
        const answers = given ?? (await head(key))?.answers;
        const recorder = recorders.get(JSON.stringify([key.user, key.runId]));
        if (recorder) await recorder.conclude(view, answers);
        else await store.append(key, { head: headOf(view, answers) as unknown as JsonObject });
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

function concerns({ type, toolCall, toolCallId, message }: JsonObject, id: string): boolean {
  if (type === 'reasoningChunk' || type === 'actingChunk') return false;
  if (toolCallId === id || (isObject(toolCall) && toolCall['id'] === id)) return true;
  const parts = isObject(message) ? message['parts'] : undefined;
  return (
    type === 'postReasoning' &&
    Array.isArray(parts) &&
    parts.some((part) => isObject(part) && isObject(part['toolCall']) && part['toolCall']['id'] === id)
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
