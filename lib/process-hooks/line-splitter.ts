import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Splits bytes into lines of UTF-8. */
export interface LineSplitter {
  write(bytes: Buffer): void;
  /** Call after the last bytes. `onLine` receives a last line without a line end. */
  end(): void;
}

/** Reads the lines of a stream like `createLineSplitter`, and resolves when the stream ends, closes or fails. */
export function readLines(
  stream: Readable,
  limit: number,
  onLine: (line: string) => void,
  onOverlong: (head: string) => void,
): Promise<void> {
  const splitter = createLineSplitter(limit, onLine, onOverlong);
  return new Promise((resolve) => {
    stream.on('data', (bytes: Buffer) => splitter.write(bytes));
    stream.once('end', () => {
      splitter.end();
      resolve();
    });
    stream.once('close', resolve);
    stream.on('error', () => resolve());
  });
}

/**
 * `onLine` receives each line without its end. A line longer than `limit` (in UTF-16 units) is dropped as it arrives. `onOverlong` receives its
 * beginning at once, because its end may never arrive.
 */
export function createLineSplitter(
  limit: number,
  onLine: (line: string) => void,
  onOverlong: (head: string) => void,
): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  let head: string | undefined;

  const give = (line: string): void => onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  const add = (piece: string): void => {
    if (head !== undefined || piece === '') return;
    pieces.push(piece);
    length += piece.length;
    if (length <= limit) return;
    head = pieces.join('').slice(0, 512);
    pieces = [];
    onOverlong(head);
  };
  const finish = (): void => {
    const line = pieces.join('');
    const overlong = head !== undefined;
    pieces = [];
    length = 0;
    head = undefined;
    if (!overlong) give(line);
  };

  return {
    write(bytes) {
      const text = decoder.write(bytes);
      let from = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        // Most lines arrive in one piece.
        if (length === 0 && end - from <= limit) give(text.slice(from, end));
        else {
          add(text.slice(from, end));
          finish();
        }
        from = end + 1;
      }
      add(text.slice(from));
    },
    end() {
      add(decoder.end());
      if (length > 0) finish();
    },
  };
}
