import { EVENT_FORMAT_VERSION, type EventOf, type SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { CleanEvents } from '../text/clean-events.ts';
import type { RecordedHook } from './hook-origin.ts';
import { createLineBatch } from './line-batch.ts';
import type { RecordingFile } from './recording-files.ts';
import { RECORDING_VERSION, type RecordingHead, type Same } from './recording-format.ts';

/** The recording of a run with its sub-agents. */
export interface Recording {
  readonly path: string;
  /**
   * Adds an event. It is written with the next ones, at the latest before a tool runs and at the end. Throws file system errors, and records the
   * number of missing events when writing works again.
   */
  write(event: SettledEvent, steps: readonly TraceStep[]): void;
  /** Writes all events that were added. Throws file system errors. */
  flush(): void;
}

export interface RecordingOptions {
  readonly maxBytes: number;
  readonly redacted: boolean;
  readonly clean: CleanEvents;
  /** The version of the package. */
  readonly hookline?: string | undefined;
  readonly hooks: readonly RecordedHook[];
}

type Asked = Pick<EventOf<'preReasoning'>, 'messages' | 'tools'>;

export function createRecording(
  file: RecordingFile,
  run: RunInfo,
  { maxBytes, redacted, clean, hookline, hooks }: RecordingOptions,
): Recording {
  /** The last model request of each run. Only the new messages of a long conversation are written. */
  const asked = new Map<string, Asked>();
  let lost = 0;
  const head: RecordingHead = {
    format: 'hookline-recording',
    version: RECORDING_VERSION,
    events: EVENT_FORMAT_VERSION,
    run: clean.run(run),
    redacted,
    ...(hookline !== undefined && { hookline }),
    hooks: [...hooks],
  };
  const batch = createLineBatch(file, (lines) => {
    lost += lines;
    // Later requests must not continue one that is missing.
    asked.clear();
  });
  batch.add(head);
  batch.flush();

  function lineOf(event: SettledEvent, steps: readonly TraceStep[]): object {
    const trace = steps.length > 0 && { steps: clean.steps(steps, event.run) };
    if (event.type !== 'preReasoning') return { event: clean.event(event), ...trace };
    const same = commonOf(asked.get(event.run.runId), event);
    const rest = { ...event, messages: event.messages.slice(same.messages), ...(same.tools && { tools: [] }) };
    return { event: clean.event(rest), same, ...trace };
  }

  return {
    path: file.path,
    write(event, steps) {
      const isEnd = event.type === 'postCall' && event.run.runId === run.runId;
      // The ending is always written.
      if (batch.bytes >= maxBytes && !isEnd) {
        lost += 1;
        return;
      }
      if (lost > 0) {
        const missing = lost;
        lost = 0;
        batch.add({ lost: missing });
      }
      batch.add(lineOf(event, steps));
      if (event.type === 'preReasoning') asked.set(event.run.runId, event);
      if (event.type === 'postCall') asked.delete(event.run.runId);
      // A tool may end the process.
      if (isEnd || event.type === 'preActing') batch.flush();
    },
    flush: batch.flush,
  };
}

function commonOf(before: Asked | undefined, { messages, tools }: Asked): Same {
  if (!before) return { messages: 0, tools: false };
  let count = 0;
  while (count < messages.length && isSame(before.messages[count], messages[count] as Message)) count += 1;
  return { messages: count, tools: isSame(before.tools, tools) };
}

/** Usually the same object. Hooks that inject messages create new ones for each request. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
