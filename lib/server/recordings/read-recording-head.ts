import { messageOf } from '../../errors/describe-thrown.ts';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import { type RunInfo, runInfoSchema } from '../../events/parts/run-info.ts';
import { entrySchema } from '../../hooks/recorder/log-entry.ts';
import { RECORDING_VERSION, type RecordingHead, recordingHeadSchema } from '../../hooks/recorder/recording-format.ts';
import { jsonLine, parseLine } from '../../store/lines/json-line.ts';
import type { Line } from '../../store/lines/line-cutter.ts';
import { readLines } from '../../store/lines/read-lines.ts';

/** The head of a recording: its run, and the header line that a log of a run store lacks. Without `run`, `issue` is the reason. */
export interface ReadHead {
  readonly run?: RunInfo;
  readonly prefix: Buffer;
  readonly issue: string;
}

/** Maximum size of a head. */
const HEAD_BYTES = 1_000_000;
const NONE = Buffer.alloc(0);
const USE = 'use a file from the recorder hook, from the export of a run, or from a run store';

/** Reads the first line of a file. */
export function readRecordingHead(file: string): ReadHead {
  const failed = (issue: string): ReadHead => ({ prefix: NONE, issue });
  let line: Line | undefined;
  try {
    [line] = readLines(file, HEAD_BYTES);
  } catch (thrown) {
    return failed(messageOf(thrown));
  }
  if (!line?.bytes.length) return failed('it is empty');
  const json = parseLine(line, () => undefined);
  if (json === undefined) return failed(`its first line is not JSON; ${USE}`);
  const { format, version, events } = Object(json);
  if (format === 'hookline-recording' && (version !== RECORDING_VERSION || events !== EVENT_FORMAT_VERSION))
    return failed(
      `it has version ${version} with events of version ${events}; this Hookline reads version ${RECORDING_VERSION} with events of version ${EVENT_FORMAT_VERSION}`,
    );
  const head = recordingHeadSchema.safeParse(json).data;
  if (head) return { run: head.run, prefix: NONE, issue: '' };
  const run = runOfLog(json);
  return run
    ? { run, prefix: headerOf(run), issue: '' }
    : failed(`its first line is not the header of a recording; ${USE}`);
}

function runOfLog(json: unknown): RunInfo | undefined {
  const entry = entrySchema.safeParse(json).data;
  return entry && 'event' in entry ? runInfoSchema.safeParse(entry.event.run).data : undefined;
}

function headerOf(run: RunInfo): Buffer {
  const head: RecordingHead = {
    ...{ format: 'hookline-recording', version: RECORDING_VERSION, events: EVENT_FORMAT_VERSION },
    ...{ run, redacted: false },
  };
  return Buffer.from(jsonLine(head));
}
