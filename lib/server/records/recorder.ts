import type { Logger } from 'pino';
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

/** Records the events of a run while it is active. Never delays or fails a run. */
export interface Recorder {
  /** `steps` are the trace steps of the event. */
  event(event: SettledEvent, steps?: readonly TraceStep[]): void;
  /** Records the view of the run. It replaces the previous one. */
  view(view: RunView): void;
  /** Records the final view of the run, after all earlier writes. Later views are ignored. Rejects if the write fails. */
  conclude(view: RunView, answers?: RunHead['answers']): Promise<void>;
  /** Resolves when all writes have ended, even if some failed. */
  flush(): Promise<void>;
  /** Whether all events so far are stored, where other processes read them. Rejects if another process has taken over the run. */
  stored(): Promise<boolean>;
}

/** Fields of the head that do not change. */
export type About = Partial<Pick<RunHead, 'place' | 'writeAhead' | 'takeOvers' | 'maxIterations'>>;

/** Interval between writes, in milliseconds. */
const WRITE_MS = 50;
/** Delay before a failed view is written again if no event follows, in milliseconds. */
const RETRY_MS = 1_000;
/** Maximum number of characters of recorded chunks per run. After that, only the number of chunks is recorded. */
const MOST_CHUNKS = 16 * 1024 * 1024;

/** `onTaken` is called once if another process has taken over the run. */
export function createRecorder(
  store: RunStore,
  key: RunKey,
  log: Logger | undefined,
  about: About = {},
  onTaken?: () => void,
): Recorder {
  const searchText = createSearchText();
  let line: ChunkLine | undefined;
  let entries: JsonObject[] = [];
  let head: RunView | undefined;
  let chunks = 0;
  let lost = { chunks: 0, gates: 0 };
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let failing = false;
  let concluded = false;
  let taken: HooklineError | undefined;

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
    endLine();
    for (const kind of ['chunks', 'gates'] as const) if (lost[kind] > 0) entries.push({ lost: lost[kind], of: kind });
    const [added, view] = [entries, head];
    entries = [];
    lost = { chunks: 0, gates: 0 };
    head = undefined;
    if (added.length === 0 && !view) return writing;
    const addition = {
      entries: added,
      ...(view && { head: headOf(view, { text: searchText.text, ...about }) as unknown as JsonObject }),
    };
    writing = writing
      .then(() => store.append(key, addition))
      .then(
        () => {
          failing = false;
        },
        (err: unknown) => {
          // The view is written again with the next entries.
          if (!concluded) head ??= view;
          lost.gates += countOf(added);
          const isTaken = err instanceof HooklineError && err.code === 'STORE_CONFLICT';
          if (isTaken && onTaken && !taken)
            log?.warn({ err, runId: key.runId }, 'another server has taken over a run; it ends here');
          else if (!failing) log?.error({ err, runId: key.runId }, 'a run could not be recorded');
          failing = true;
          if (isTaken) {
            head = undefined;
            if (!taken) onTaken?.();
            taken = err;
          }
          if (head) timer ??= setTimeout(() => void write(), RETRY_MS).unref();
        },
      );
    return writing;
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
      head = view;
      later();
    },
    conclude(view, answers) {
      concluded = true;
      head = undefined;
      const final = headOf(view, { text: searchText.text, ...(answers && { answers }) });
      const last = write().then(() => store.append(key, { head: final as unknown as JsonObject }));
      writing = last.catch(() => {});
      return last;
    },
    flush: () => write(),
    async stored() {
      await write();
      if (taken) throw taken;
      return !failing && lost.gates === 0 && store.isShared?.(key) !== false;
    },
  };
}

function stepsField(steps: readonly TraceStep[] | undefined) {
  return steps && { steps: steps as unknown as JsonValue };
}

function countOf(entries: readonly JsonObject[]): number {
  return entries.reduce((sum, { ends, lost }) => sum + (Array.isArray(ends) ? ends.length : Number(lost ?? 1)), 0);
}
