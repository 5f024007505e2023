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
  /** Size of the file when it was opened. */
  readonly bytes: number;
  read(): ReadableStream<Uint8Array>;
}

/** Maximum size of a head. */
const HEAD_BYTES = 1_000_000;

/** Reads the heads of recordings. Rejects a file that is not a recording, or has an unsupported version (`INPUT_INVALID`). */
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
    throw new HooklineError('INPUT_INVALID', `Cannot open the recording "${file}": ${why}.`, { cause });
  };
  let stats: Stats;
  let line = '';
  try {
    stats = statSync(file);
    // Opening a named pipe would wait for a writer.
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
    return fail('its first line is not JSON; use a file from the recorder hook or from the export of a run', cause);
  }
  const { format, version, events } = Object(json);
  if (format === 'hookline-recording' && (version !== RECORDING_VERSION || events !== EVENT_FORMAT_VERSION))
    return fail(
      `it has version ${version} with events of version ${events}; this Hookline reads version ${RECORDING_VERSION} with events of version ${EVENT_FORMAT_VERSION}`,
    );
  if (recordingHeadSchema.safeParse(json).success) return stats;
  return fail(
    'its first line is not the header of a recording; use a file from the recorder hook or from the export of a run',
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
