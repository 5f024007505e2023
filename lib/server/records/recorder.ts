import type { Logger } from 'pino';
import { hasCode } from '../../errors/has-code.ts';
import { HooklineError } from '../../errors.ts';
import { chunkText, isChunk } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { RunKey, RunStore } from '../run-store/run-store.ts';
import type { RunView } from '../runs/run-view.ts';
import { type ChunkLine, chunkLine, joinedChunk, joinLine, lengthOfSteps } from '../sse/chunk-line.ts';
import { headOf, type RunHead } from './run-head.ts';
import { createSearchText } from './search-text.ts';
import { type Room, unstoredEntries } from './unstored-entries.ts';

/**
 * Records the events of a run while it is active. Never delays or fails a run. Entries whose write has failed are written again, before later ones and
 * each once. If they need too much room, the newest are lost, and the log of the run has their number.
 */
export interface Recorder {
  /** `steps` are the trace steps of the event. */
  event(event: SettledEvent, steps?: readonly TraceStep[]): void;
  /** Records the view of the run. It replaces the previous one. */
  view(view: RunView): void;
  /** Records the final view of the run, after all earlier writes. Later views are ignored. Rejects if the write fails, and repeats it later. */
  conclude(view: RunView, answers?: RunHead['answers']): Promise<void>;
  /** Resolves when all writes have ended, even if some failed. */
  flush(): Promise<void>;
  /**
   * Whether all events so far are stored, where other processes read them. Rejects if another process has taken over the run, and from then on if an
   * event was lost.
   */
  stored(): Promise<boolean>;
}

/** Fields of the head that do not change. */
export type About = Partial<Pick<RunHead, 'place' | 'writeAhead' | 'takeOvers' | 'maxIterations'>>;

/** Interval between writes, in milliseconds. */
const WRITE_MS = 50;
/** Delay before a failed write is repeated, in milliseconds. */
const RETRY_MS = 1_000;
/** Maximum number of characters of recorded chunks per run. After that, only the number of chunks is recorded. */
const MOST_CHUNKS = 16 * 1024 * 1024;

export interface RecorderParts {
  readonly log?: Logger | undefined;
  readonly about?: About | undefined;
  /** Called once if another process has taken over the run. */
  readonly onTaken?: (() => void) | undefined;
  readonly room: Room;
}

interface Head {
  readonly view: RunView;
  /** Of a final head. */
  readonly answers?: RunHead['answers'];
}

export function createRecorder(
  store: RunStore,
  key: RunKey,
  { log, about = {}, onTaken, room }: RecorderParts,
): Recorder {
  const searchText = createSearchText();
  let line: ChunkLine | undefined;
  const entries: JsonObject[] = [];
  let head: Head | undefined;
  let chunks = 0;
  let lost = { chunks: 0, gates: 0 };
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let failure: { readonly err: unknown } | undefined;
  let concluded = false;
  let taken: HooklineError | undefined;
  let loss: HooklineError | undefined;
  const unstored = unstoredEntries(
    store,
    key,
    room,
    () => count,
    (found) => {
      count += found;
    },
  );

  function endLine(): void {
    if (line)
      entries.push({
        event: joinedChunk(line, 0) as unknown as JsonObject,
        ends: line.ends,
        ...stepsField(line.steps),
      });
    line = undefined;
  }

  function later(): void {
    timer ??= setTimeout(() => void write(), WRITE_MS);
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(append);
    return writing;
  }

  function headEntry({ view, answers }: Head): JsonObject {
    const more = concluded ? { ...(answers && { answers }) } : about;
    return headOf(view, { text: searchText.text, ...more }) as unknown as JsonObject;
  }

  /** Takes the entries so far. */
  function takeEntries(): readonly JsonObject[] {
    endLine();
    for (const kind of ['chunks', 'gates'] as const) if (lost[kind] > 0) entries.push({ lost: lost[kind], of: kind });
    lost = { chunks: 0, gates: 0 };
    return entries.splice(0);
  }

  async function append(): Promise<void> {
    let added: readonly JsonObject[] = [];
    let next: Head | undefined;
    try {
      const before = await unstored.take();
      added = [...before, ...takeEntries()];
      // They are of no use in the log of another process.
      if (taken) added = [];
      next = head;
      head = undefined;
      if (added.length === 0 && !next) return;
      await store.append(key, { entries: added, ...(next && { head: headEntry(next) }) });
      count += added.length;
      failure = undefined;
    } catch (err) {
      head ??= next;
      if (hasCode(err, 'STORE_CONFLICT')) end(err);
      else keep(added.length > 0 ? added : takeEntries(), err);
      failure = { err };
      if (head || !unstored.isEmpty) timer ??= setTimeout(() => void write(), RETRY_MS).unref();
    }
  }

  /** Another process writes the log. */
  function end(err: HooklineError): void {
    if (onTaken && !taken) log?.warn({ err, runId: key.runId }, 'another server has taken over a run; it ends here');
    else if (!failure) log?.error({ err, runId: key.runId }, 'a run could not be recorded');
    head = undefined;
    unstored.clear();
    if (!taken) onTaken?.();
    taken = err;
  }

  function keep(added: readonly JsonObject[], err: unknown): void {
    if (!failure) log?.error({ err, runId: key.runId }, 'a run could not be recorded');
    const { invalid, surplus } = unstored.add(added);
    if (invalid.length + surplus.length === 0) return;
    lost.gates += countOf(invalid) + countOf(surplus);
    if (loss) return;
    const why = invalid.length > 0 ? 'because they are not JSON' : 'because its store failed for too long';
    loss = new HooklineError(
      'STORE_FAILED',
      `Events of this run were lost, ${why}. No further call runs. Start a new run.`,
      { cause: err },
    );
    log?.error({ err, runId: key.runId }, 'events of a run are lost, because they could not be recorded');
  }

  return {
    event(event, steps) {
      searchText.add(event);
      if (!isChunk(event)) {
        endLine();
        entries.push({ event: event as unknown as JsonObject, ...stepsField(steps) });
      } else if (chunks > MOST_CHUNKS) lost.chunks += 1;
      else {
        chunks += chunkText(event).length + lengthOfSteps(steps);
        if (!line || !joinLine(line, event, steps)) {
          endLine();
          line = chunkLine(event, steps);
        }
      }
      later();
    },
    view(view) {
      if (concluded || taken) return;
      head = { view };
      later();
    },
    async conclude(view, answers) {
      concluded = true;
      head = { view, ...(answers && { answers }) };
      await write();
      if (failure) throw failure.err;
    },
    flush: () => write(),
    async stored() {
      await write();
      if (taken) throw taken;
      if (loss) throw loss;
      return !failure && store.isShared?.(key) !== false;
    },
  };
}

function stepsField(steps: readonly TraceStep[] | undefined) {
  return steps && { steps: steps as unknown as JsonValue };
}

function countOf(entries: readonly JsonObject[]): number {
  return entries.reduce((sum, { ends, lost }) => sum + (Array.isArray(ends) ? ends.length : Number(lost ?? 1)), 0);
}
