import { closeSync, createReadStream, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import { RECORDING_VERSION, recordingHeadSchema } from '../../hooks/recorder/recording-format.ts';

/** A recorded run in a file. */
export interface OpenRecording {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  /** How large it was when it was opened. */
  readonly bytes: number;
  read(): ReadableStream<Uint8Array>;
}

/** A head has to fit in there. */
const HEAD_BYTES = 1_000_000;

/** Looks at the heads of recordings. A file that is none, or one that this version cannot read, is `INPUT_INVALID`. */
export function openRecordings(files: readonly string[]): readonly OpenRecording[] {
  return files.map((given, index) => {
    const file = resolve(given);
    const { size } = checked(given);
    return {
      id: String(index + 1),
      name: basename(file),
      file,
      bytes: size,
      read: () => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
    };
  });
}

function checked(file: string): Stats {
  const fail = (why: string, cause?: unknown): never => {
    throw new HooklineError('INPUT_INVALID', `The recording "${file}" cannot be shown: ${why}.`, { cause });
  };
  let stats: Stats;
  let line = '';
  try {
    stats = statSync(file);
    // Opening a pipe would wait for somebody who writes.
    if (stats.isFile()) line = firstLine(file);
  } catch (cause) {
    return fail(messageOf(cause), cause);
  }
  if (!stats.isFile()) return fail('it is not a file');
  if (line === '') return fail('it is empty');
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (cause) {
    return fail(
      'its first line is not JSON; give a file that the hook recorder or the export of a run has written',
      cause,
    );
  }
  const { format, version, events } = Object(json);
  if (format === 'hookline-recording' && (version !== RECORDING_VERSION || events !== EVENT_FORMAT_VERSION))
    return fail(
      `it has version ${version} with events of version ${events}, and this Hookline reads ${RECORDING_VERSION} with ${EVENT_FORMAT_VERSION}`,
    );
  if (recordingHeadSchema.safeParse(json).success) return stats;
  return fail(
    'its first line is not the head of a recording; give a file that the hook recorder or the export of a run has written',
  );
}

function firstLine(file: string): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    const text = buffer.toString('utf8', 0, readSync(fd, buffer));
    return text.split('\n', 1)[0] ?? '';
  } finally {
    closeSync(fd);
  }
}
