import { appendFileSync, closeSync, constants, ftruncateSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { rawPathOf } from './raw-format.ts';

/** A file that grows by whole lines. `append` is synchronous. All methods throw file system errors. */
export interface RecordingFile {
  readonly path: string;
  readonly bytes: number;
  append(lines: string): void;
  /** Creates a second file of the recording, which is removed with it. */
  second(path: string): RecordingFile;
  remove(): void;
}

const NAME = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z-[\w-]+\.jsonl$/;

/** Creates recordings in a folder, and removes the oldest above `keep`. `isLive` identifies those of active runs. */
export function recordingFiles(
  folder: string,
  keep: number,
  isLive: (path: string) => boolean,
): (time: number, runId: string) => RecordingFile {
  function sweep(): void {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    for (const name of names.sort().slice(0, -keep)) {
      const path = join(folder, name);
      if (isLive(path)) continue;
      rmSync(path, { force: true });
      rmSync(rawPathOf(path), { force: true });
    }
  }

  return (time, runId) => {
    makeFolder(folder, 0o700);
    const stamp = new Date(time).toISOString().replaceAll(':', '');
    const id = runId.replace(/[^\w-]/g, '_').slice(0, 80) || 'run';
    const path = createFile(join(folder, `${stamp}-${id}`));
    sweep();
    return growingFile(path);
  };
}

function growingFile(path: string): RecordingFile {
  let bytes = 0;
  return {
    path,
    get bytes() {
      return bytes;
    },
    append(lines) {
      const text = Buffer.from(lines);
      // Does not create the file again, because half a recording is useless.
      const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND);
      try {
        appendFileSync(fd, text);
        bytes += text.length;
      } catch (thrown) {
        // This is the only writer, and half a line would damage the next one.
        ftruncateSync(fd, bytes);
        throw thrown;
      } finally {
        closeSync(fd);
      }
    },
    second(path) {
      closeSync(openSync(path, 'wx', 0o600));
      return growingFile(path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Creates an empty file under a free name. */
function createFile(begin: string): string {
  for (let number = 1; ; number += 1) {
    const path = `${begin}${number === 1 ? '' : `-${number}`}.jsonl`;
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
  }
}
