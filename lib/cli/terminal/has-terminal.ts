import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Returns whether a terminal can show prompts, wherever stdin and stdout lead. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return isatty(0) && isatty(2);
  }
}
