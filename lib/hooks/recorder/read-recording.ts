import { z } from 'zod';
import type { HooklineError } from '../../errors.ts';
import { EVENT_FORMAT_VERSION, type EventOf, hookEventSchema, type SettledEvent } from '../../events/hook-event.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import { readJsonLines } from './read-json-lines.ts';
import { RECORDING_VERSION, type RecordingHead, recordingHeadSchema, recordingLineSchema } from './recording-format.ts';

/** The content of a recording. */
export interface ReadRecording {
  readonly head: RecordingHead;
  /** All events with the effects of hooks, in the order of settling, including those of sub-agents. */
  readonly reports: readonly TraceReport[];
  /** Number of missing events. */
  readonly lost: number;
  /** True if the last line is truncated. It is ignored. */
  readonly cut: boolean;
}

/** Reads a recording line by line. A truncated last line is ignored. Any other issue is `INPUT_INVALID` with its line. */
export function readRecording(file: string): ReadRecording {
  const reports: TraceReport[] = [];
  const asked = new Map<string, EventOf<'preReasoning'>>();
  let lost = 0;
  let head: RecordingHead | undefined;

  const { issue, cut } = readJsonLines(file, 'recording', (json, issue) => {
    if (!head) {
      head = readHead(json, issue);
      return;
    }
    const line = recordingLineSchema.safeParse(json);
    if (!line.success) throw issue(`is not a line of a recording: ${z.prettifyError(line.error)}`);
    if ('lost' in line.data) {
      lost += line.data.lost;
      return;
    }
    const { event, same, steps = [] } = line.data;
    const checked = hookEventSchema.safeParse(event);
    if (!checked.success) throw issue(`contains no event: ${z.prettifyError(checked.error)}`);
    let settled = checked.data as SettledEvent;
    if (settled.type === 'preReasoning') {
      const before = asked.get(settled.run.runId);
      const count = same?.messages ?? 0;
      if (count > (before?.messages.length ?? 0)) throw issue('continues a model request that is missing');
      const messages = [...(before?.messages.slice(0, count) ?? []), ...settled.messages];
      settled = { ...settled, messages, ...(same?.tools && before && { tools: before.tools }) };
      asked.set(settled.run.runId, settled);
    }
    reports.push({ event: settled, steps });
  });
  return { head: head ?? readHead(undefined, issue), reports, lost, cut };
}

function readHead(line: unknown, issue: (why: string) => HooklineError): RecordingHead {
  const { format, version, events } = (line ?? {}) as Record<string, unknown>;
  const known = format === 'hookline-recording' && typeof version === 'number' && typeof events === 'number';
  if (known && (version !== RECORDING_VERSION || events !== EVENT_FORMAT_VERSION))
    throw issue(
      `has version ${version} with events of version ${events}; this Hookline reads ${RECORDING_VERSION} with ${EVENT_FORMAT_VERSION}`,
    );
  const head = recordingHeadSchema.safeParse(line);
  if (head.success) return head.data;
  throw issue('is not the head of a recording; pass a file that the hook recorder has written');
}
