import { createProgram } from './create-program.ts';
import { endProcess } from './end-process.ts';
import { exitCodeOfError } from './exit-code-of-error.ts';

/** Runs the command line and exits the process. */
export function runProgram(): Promise<void> {
  process.on('exit', failUnfinished);
  return createProgram()
    .parseAsync()
    .finally(() => process.off('exit', failUnfinished))
    .then(() => endProcess(process.exitCode ?? 0), endFailed);
}

/** Prints why the command failed and exits the process. */
export function endFailed(thrown: unknown): Promise<void> {
  return endProcess(forHosts(exitCodeOfError(thrown)));
}

/** Node exits with 0 if a module of hooks ends the process, or waits for what never happens. A check would look passed. */
function failUnfinished(code: number): void {
  // The parent of a worker reports how it ended.
  if (code !== 0 || process.argv.includes('--worker')) return;
  process.stderr.write(
    'error: the process ended before the command did. A module of hooks ends it, or never finishes loading.\n',
  );
  process.exitCode = forHosts(1);
}

/** Hosts continue at any exit code other than 2, so a failed hook denies with 2. */
function forHosts(code: number): number {
  const [name, ...words] = process.argv.slice(2);
  return code === 1 && name === 'hook' && !words.includes('--fail-open') ? 2 : code;
}
