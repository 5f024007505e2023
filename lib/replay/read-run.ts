import { existsSync } from 'node:fs';
import { rawPathOf } from '../hooks/recorder/raw-format.ts';
import { type ReadRecording, readRecording } from '../hooks/recorder/read-recording.ts';
import { readRawInput } from './raw-script.ts';
import { type RecordedScript, scriptsOf } from './recorded-script.ts';

export interface ReplayableRecording extends ReadRecording {
  readonly file: string;
  /** Its runs, sub-agents included. */
  readonly scripts: readonly RecordedScript[];
  /** Whether its raw input is there, so that a replay is exact. */
  readonly raw: boolean;
}

/** Reads a recording, and its raw input if there is any. Issues are `INPUT_INVALID`, with their line. */
export function readReplayable(file: string): ReplayableRecording {
  const recording = readRecording(file);
  const rawFile = rawPathOf(file);
  const raw = existsSync(rawFile) ? readRawInput(rawFile) : undefined;
  return { ...recording, file, scripts: scriptsOf(recording.reports, raw), raw: raw !== undefined };
}
