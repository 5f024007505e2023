import { createProgram } from './create-program.ts';
import { endProcess } from './end-process.ts';
import { exitCodeOfError } from './exit-code-of-error.ts';

/** Runs what the words of the command line say, and ends the process. */
export function runProgram(): Promise<void> {
  return createProgram()
    .parseAsync()
    .then(
      () => endProcess(process.exitCode ?? 0),
      (thrown) => endProcess(exitCodeOf(thrown)),
    );
}

/** Hosts go on at any code but 2, so a hook that has failed refuses by it. */
function exitCodeOf(thrown: unknown): number {
  const code = exitCodeOfError(thrown);
  const [name, ...words] = process.argv.slice(2);
  return code === 1 && name === 'hook' && !words.includes('--fail-open') ? 2 : code;
}
