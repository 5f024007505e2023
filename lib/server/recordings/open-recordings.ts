import { createHash } from 'node:crypto';
import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { readRecordingHead } from './read-recording-head.ts';
import { recordingContent } from './recording-content.ts';

/** A recorded run in a file. */
export interface OpenRecording {
  readonly id: string;
  /** Name of the file. In a directory, its path below the directory. */
  readonly name: string;
  readonly file: string;
  /** Size at the time of the call. It grows while the run is active. */
  readonly bytes: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly run: RunInfo;
  /** Reads from a byte position (default: 0). With `follow`, continues while the file grows, until a minute after its last change. */
  read(from?: number, follow?: boolean): ReadableStream<Uint8Array>;
}

/** Recordings of files and directories. Directories are read with each call, so that new recordings appear. */
export interface Recordings {
  /** Lists the recordings: given files first, then those of directories, the newest first. */
  list(): readonly OpenRecording[];
  find(id: string): OpenRecording | undefined;
}

/** Maximum number of recordings of a directory that are listed. */
const MOST_LISTED = 1_000;
/** Maximum number of directory entries that are looked at. */
const MOST_ENTRIES = 50_000;
/** Levels of subdirectories: a run store has one directory per user. */
const DEPTH = 3;

/**
 * Opens recordings of the hook `recorder`, exported runs, logs of a run store, and directories of them. Rejects a file that is not a recording, or has an
 * unsupported version (`INPUT_INVALID`). Other files of a directory are ignored.
 */
export function openRecordings(paths: readonly string[]): Recordings {
  const given = paths.map((path) => ({ path, isDirectory: isDirectory(path) }));
  // An invalid file fails now instead of on the page.
  for (const { path, isDirectory } of given) if (!isDirectory) open(path, basename(path), '');
  const list = (): readonly OpenRecording[] =>
    given.flatMap(({ path, isDirectory }, index) =>
      isDirectory ? recordingsIn(path) : (recordingIn(path, basename(path), String(index + 1)) ?? []),
    );
  return { list, find: (id) => list().find((recording) => recording.id === id) };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function open(given: string, name: string, id: string): OpenRecording {
  const file = resolve(given);
  const fail = (why: string, cause?: unknown): never => {
    throw new HooklineError('INPUT_INVALID', `Cannot open the recording "${given}": ${why}.`, { cause });
  };
  let stats: Stats;
  try {
    stats = statSync(file);
  } catch (cause) {
    return fail(messageOf(cause), cause);
  }
  // Opening a named pipe would wait for a writer.
  if (!stats.isFile()) return fail('it is not a file');
  const { run, prefix, issue } = readRecordingHead(file);
  if (!run) return fail(issue);
  return {
    ...{ id, name, file, run, bytes: prefix.length + stats.size, changedAt: stats.mtimeMs },
    read: (from = 0, follow = false) => recordingContent(file, prefix, from, follow),
  };
}

/** By file: the heads of unchanged files are not read again. */
const known = new Map<string, { readonly state: string; readonly recording: OpenRecording | undefined }>();

function recordingsIn(directory: string): readonly OpenRecording[] {
  const files = filesIn(resolve(directory));
  const found = files.flatMap((file) => {
    const id = createHash('sha256').update(file).digest('hex').slice(0, 16);
    return recordingIn(file, relative(directory, file), id) ?? [];
  });
  return found.sort((a, b) => b.changedAt - a.changedAt).slice(0, MOST_LISTED);
}

/** Returns the recording in a file, unless the file is missing or not a recording. */
function recordingIn(file: string, name: string, id: string): OpenRecording | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  const state = `${id} ${stats.ino}.${stats.mtimeMs}.${stats.size}`;
  const before = known.get(file);
  if (before?.state === state) return before.recording;
  let recording: OpenRecording | undefined;
  try {
    recording = open(file, name, id);
  } catch {
    // It may become one when its writer continues.
  }
  known.set(file, { state, recording });
  return recording;
}

function filesIn(directory: string, depth = DEPTH, left = { entries: MOST_ENTRIES }): readonly string[] {
  const files: string[] = [];
  let entries: ReturnType<typeof readEntries> = [];
  try {
    entries = readEntries(directory);
  } catch {
    // It was removed, or it may not be read.
  }
  for (const entry of entries) {
    left.entries -= 1;
    if (left.entries < 0) break;
    const path = join(directory, entry.name);
    if (entry.isDirectory() && depth > 1) files.push(...filesIn(path, depth - 1, left));
    else if (entry.name.endsWith('.jsonl')) files.push(path);
  }
  return files;
}

function readEntries(directory: string) {
  return readdirSync(directory, { withFileTypes: true });
}
