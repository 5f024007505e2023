import { z } from 'zod';
import { isChunk } from '../../events/chunk-text.ts';
import {
  type ChunkEvent,
  EVENT_FORMAT_VERSION,
  type EventOf,
  hookEventSchema,
  type SettledEvent,
} from '../../events/hook-event.ts';
import { TOOL_NAME } from '../../pipeline/define/tool.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import { areEnds, entrySchema, piecesOf } from './log-entry.ts';
import { type LineIssue, readJsonLines } from './read-json-lines.ts';
import {
  RECORDING_VERSION,
  type RecordingHead,
  recordingHeadSchema,
  recordingLineSchema,
  type Same,
} from './recording-format.ts';

export interface ReadRecording {
  readonly head: RecordingHead;
  /** All events with the effects of hooks, in the order of settling, including those of sub-agents. */
  readonly reports: readonly TraceReport[];
  /** Number of missing events. */
  readonly lost: number;
  /** True if the last line is truncated. It is ignored. */
  readonly cut: boolean;
}

/**
 * Reads a recording, or the log of a run store, line by line. A truncated last line is ignored. Any other issue is `INPUT_INVALID` with its line.
 */
export function readRecording(file: string): ReadRecording {
  const reader = new RecordingReader();
  const { issue, cut } = readJsonLines(file, 'recording', (json, issue) => reader.read(json, issue));
  return { ...reader.end(issue), cut };
}

class RecordingReader {
  #head: RecordingHead | undefined;
  #isLog = false;
  #lost = 0;
  readonly #reports: TraceReport[] = [];
  readonly #asked = new Map<string, EventOf<'preReasoning'>>();

  read(json: unknown, issue: LineIssue): void {
    if (this.#isLog) this.#readEntry(json, issue);
    else if (this.#head) this.#readLine(json, issue);
    else if (entrySchema.safeParse(json).success) {
      // A log has no head.
      this.#isLog = true;
      this.#readEntry(json, issue);
    } else this.#head = readHead(json, issue);
  }

  end(issue: LineIssue): Pick<ReadRecording, 'head' | 'reports' | 'lost'> {
    return { head: this.#head ?? readHead(undefined, issue), reports: this.#reports, lost: this.#lost };
  }

  #readLine(json: unknown, issue: LineIssue): void {
    const { data: line, error } = recordingLineSchema.safeParse(json);
    if (!line) throw notALine(issue, error);
    if ('lost' in line) this.#lost += line.lost;
    else this.#add(this.#whole(eventIn(line.event, issue), line.same, issue), line.steps);
  }

  #readEntry(json: unknown, issue: LineIssue): void {
    const { data: entry, error } = entrySchema.safeParse(json);
    if (!entry) throw notALine(issue, error);
    if ('lost' in entry) {
      this.#lost += entry.lost;
      return;
    }
    const { ends, steps } = entry;
    const event = this.#whole(eventIn(entry.event, issue), undefined, issue);
    if (ends && !(isChunk(event) && areEnds(ends, event as SettledEvent<ChunkEvent>)))
      throw issue('has chunks that do not match its text');
    const [format, version, events] = ['hookline-recording' as const, RECORDING_VERSION, EVENT_FORMAT_VERSION];
    this.#head ??= { format, version, events, run: event.run, redacted: false };
    for (const piece of piecesOf(event, ends)) this.#add(piece, steps);
  }

  #add(event: SettledEvent, steps: TraceReport['steps'] = []): void {
    this.#reports.push({ event, steps });
  }

  /** Returns a model request with the messages and tools that it shares with the previous one of its run. */
  #whole(event: SettledEvent, same: Same | undefined, issue: LineIssue): SettledEvent {
    if (event.type !== 'preReasoning') return event;
    const unusable = event.tools.find(({ name }) => !TOOL_NAME.test(name));
    if (unusable) throw issue(`offers a tool with the name ${JSON.stringify(unusable.name)}, which no agent accepts`);
    const before = this.#asked.get(event.run.runId);
    const count = same?.messages ?? 0;
    if (count > (before?.messages.length ?? 0)) throw issue('continues a model request that is missing');
    const messages = [...(before?.messages.slice(0, count) ?? []), ...event.messages];
    const whole = { ...event, messages, ...(same?.tools && before && { tools: before.tools }) };
    this.#asked.set(event.run.runId, whole);
    return whole;
  }
}

function eventIn(json: unknown, issue: LineIssue): SettledEvent {
  const { data, error } = hookEventSchema.safeParse(json);
  if (data) return data as SettledEvent;
  throw issue(`contains no event: ${z.prettifyError(error)}`);
}

function notALine(issue: LineIssue, error: z.ZodError) {
  return issue(`is not a line of a recording: ${z.prettifyError(error)}`);
}

function readHead(line: unknown, issue: LineIssue): RecordingHead {
  const { format, version, events } = (line ?? {}) as Record<string, unknown>;
  const known = format === 'hookline-recording' && typeof version === 'number' && typeof events === 'number';
  if (known && (version !== RECORDING_VERSION || events !== EVENT_FORMAT_VERSION))
    throw issue(
      `has version ${version} with events of version ${events}; this Hookline reads ${RECORDING_VERSION} with ${EVENT_FORMAT_VERSION}`,
    );
  const head = recordingHeadSchema.safeParse(line);
  if (head.success) return head.data;
  throw issue(
    'is not the head of a recording; pass a file that the hook recorder has written, or a log of a run store',
  );
}
