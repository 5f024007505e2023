import { createProgram } from './create-program.ts';
import { endProcess } from './end-process.ts';
import { exitCodeOfError } from './exit-code-of-error.ts';

/** Runs what the words of the command line say, and ends the process. */
export function runProgram(): Promise<void> {
  return createProgram()
    .parseAsync()
    .then(
      () => endProcess(process.exitCode ?? 0),
      (thrown) => endProcess(exitCodeOfError(thrown)),
    );
}
