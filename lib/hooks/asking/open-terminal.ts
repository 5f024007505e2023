import { closeSync, openSync, writeSync } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';

/** A terminal for one question. `close` releases it. */
export interface Terminal {
  /** A `Readable` of Node.js. Its type would require `@types/node`, also in projects for browsers. */
  readonly input: {
    readonly readableEnded: boolean;
    readonly destroyed: boolean;
    on(event: string, listener: (value: unknown) => void): Terminal['input'];
    off(event: string, listener: (value: unknown) => void): Terminal['input'];
    resume(): unknown;
  };
  write(text: string): void;
  close(): void;
}

/**
 * Opens the controlling terminal of the process, even if stdin and stdout are redirected. Otherwise uses stdin and stderr if both are terminals.
 * Returns `undefined` if there is none.
 */
export function openTerminal(): Terminal | undefined {
  if (process.platform !== 'win32') {
    try {
      return openControllingTerminal();
    } catch {
      // There is no terminal in a daemon, a container or a CI job.
    }
  }
  if (!isatty(0) || !isatty(2)) return undefined;
  const giveBack = holdStdin();
  return {
    input: process.stdin,
    write: (text) => void process.stderr.write(text),
    close() {
      process.stdin.pause();
      giveBack();
    },
  };
}

function openControllingTerminal(): Terminal {
  const output = openSync('/dev/tty', 'w');
  try {
    // A tty stream polls. A file stream would block in a read that no cancel ends, and that would consume the next answer.
    const input = new ReadStream(openSync('/dev/tty', 'r'));
    const giveBack = holdStdin();
    // Switching line mode off and on submits a half-typed line, which is then discarded with other typed-ahead input.
    input.setRawMode(true);
    input.setRawMode(false);
    // An error after the end of the question has no effect.
    input.on('error', () => {});
    return {
      input,
      write: (text) => void writeSync(output, text),
      close() {
        input.destroy();
        closeSync(output);
        giveBack();
      },
    };
  } catch (error) {
    closeSync(output);
    throw error;
  }
}

/** Pauses other readers of stdin, such as a prompt line, so that they do not consume the answer. Returns a function that resumes them. */
function holdStdin(): () => void {
  if (!isatty(0)) return () => {};
  const { stdin } = process;
  const { isRaw, readableFlowing } = stdin;
  if (readableFlowing) stdin.pause();
  // In raw mode, Ctrl-C would be a character instead of a signal.
  if (isRaw) stdin.setRawMode(false);
  return () => {
    if (isRaw) stdin.setRawMode(true);
    if (readableFlowing) stdin.resume();
  };
}
