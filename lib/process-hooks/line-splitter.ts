import { StringDecoder } from 'node:string_decoder';

/** Cuts bytes that come in pieces of any size into lines of UTF-8. */
export interface LineSplitter {
  write(bytes: Buffer): void;
  /** No more bytes; a last line without its end is given up. */
  end(): void;
}

/**
 * `onLine` gets each line without its end. One longer than `limit` (in UTF-16 units) is thrown away as it comes, and `onOverlong` gets
 * how it began as soon as it is too long: its end may never come.
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
        // Most lines come in one piece.
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
