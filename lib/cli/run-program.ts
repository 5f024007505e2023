import { createProgram } from './create-program.ts';
import { endProcess } from './end-process.ts';
import { exitCodeOfError } from './exit-code-of-error.ts';

/** Runs the command line and exits the process. */
export function runProgram(): Promise<void> {
  return createProgram()
    .parseAsync()
    .then(
      () => endProcess(process.exitCode ?? 0),
      (thrown) => endProcess(exitCodeOf(thrown)),
    );
}

/** Hosts continue at any exit code other than 2, so a failed hook denies with 2. */
function exitCodeOf(thrown: unknown): number {
  const code = exitCodeOfError(thrown);
  const [name, ...words] = process.argv.slice(2);
  return code === 1 && name === 'hook' && !words.includes('--fail-open') ? 2 : code;
}
