import { closeSync, openSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';

/** A terminal for as long as one question takes. `close` gives it back. */
export interface Terminal {
  readonly input: Readable;
  write(text: string): void;
  close(): void;
}

/** The terminal that the process belongs to, whatever stdin and stdout are; else stdin and stderr when both are terminals; else nothing. */
export function openTerminal(): Terminal | undefined {
  if (process.platform !== 'win32') {
    try {
      return openControllingTerminal();
    } catch {
      // There is none: a daemon, a container, a CI job.
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
    // A tty stream polls. A file stream would sit in a blocking read that no cancel ends and that takes the next answer.
    const input = new ReadStream(openSync('/dev/tty', 'r'));
    const giveBack = holdStdin();
    // Leaving line mode and coming back hands over a half-typed line, which is then thrown away with what was typed ahead.
    input.setRawMode(true);
    input.setRawMode(false);
    // A terminal that hangs up after its question is over concerns nobody.
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

/** Keeps whoever reads stdin (a prompt line, say) from taking the answer; gives a function that lets it go on. */
function holdStdin(): () => void {
  if (!isatty(0)) return () => {};
  const { stdin } = process;
  const { isRaw, readableFlowing } = stdin;
  if (readableFlowing) stdin.pause();
  // In raw mode Ctrl-C would be a character instead of a signal.
  if (isRaw) stdin.setRawMode(false);
  return () => {
    if (isRaw) stdin.setRawMode(true);
    if (readableFlowing) stdin.resume();
  };
}
