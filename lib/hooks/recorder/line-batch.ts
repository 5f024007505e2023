import { jsonLine } from '../../store/lines/json-line.ts';
import type { RecordingFile } from './recording-files.ts';

/** Lines that are written together. */
export interface LineBatch {
  /** Size of the file with the lines that are not written yet. */
  readonly bytes: number;
  add(line: object): void;
  /** Writes the lines. Throws file system errors; the lines are lost then, and `onLost` is called with their number. */
  flush(): void;
}

/** Characters after which lines are written at once. */
const MOST_CHARS = 65_536;

/** Collects lines for a file. A system call for each chunk of a stream costs more than everything else that records it. */
export function createLineBatch(file: RecordingFile, onLost: (lines: number) => void): LineBatch {
  let lines: string[] = [];
  let chars = 0;

  function flush(): void {
    if (lines.length === 0) return;
    const written = lines;
    lines = [];
    chars = 0;
    try {
      file.append(written.join(''));
    } catch (thrown) {
      onLost(written.length);
      throw thrown;
    }
  }

  return {
    get bytes() {
      return file.bytes + chars;
    },
    add(line) {
      const text = jsonLine(line);
      lines.push(text);
      chars += text.length;
      if (chars >= MOST_CHARS) flush();
    },
    flush,
  };
}
