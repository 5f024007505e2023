import { existsSync, readFileSync } from 'node:fs';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { rawPathOf } from '../hooks/recorder/raw-format.ts';
import { type ReadRecording, readRecording } from '../hooks/recorder/read-recording.ts';
import { readRawInput } from './raw-script.ts';
import { type RecordedScript, scriptsOf } from './recorded-script.ts';

/** A recording that can be replayed. */
export interface ReplayableRecording extends ReadRecording {
  readonly file: string;
  /** Its runs, sub-agents included. */
  readonly scripts: readonly RecordedScript[];
  /** Whether its raw input is there, so that a replay is exact. */
  readonly raw: boolean;
}

/** Reads a recording, and its raw input if there is any. Issues are `INPUT_INVALID`, with their line. */
export function readReplayable(file: string): ReplayableRecording {
  const recording = readRecording(textOf(file), file);
  const rawFile = rawPathOf(file);
  const raw = existsSync(rawFile) ? readRawInput(textOf(rawFile), rawFile) : undefined;
  return { ...recording, file, scripts: scriptsOf(recording.reports, raw), raw: raw !== undefined };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new HooklineError('INPUT_INVALID', `The recording "${file}" cannot be read: ${messageOf(cause)}`, { cause });
  }
}
