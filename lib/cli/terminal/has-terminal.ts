import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Whether somebody can be asked on a terminal, wherever stdin and stdout lead. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return isatty(0) && isatty(2);
  }
}
