import { writeSync } from 'node:fs';

/**
 * A hook may end the process by `process.exit(0)`, and hosts go on at that code. Until what is given back is called, such an end is told, and
 * has the code that `refuse` gives.
 */
export function onEarlyEnd(refuse: () => number): () => void {
  const end = (): void => {
    writeSync(2, 'hookline: a hook has ended the process before it was done.\n');
    process.exitCode = refuse();
  };
  process.on('exit', end);
  return () => process.off('exit', end);
}
