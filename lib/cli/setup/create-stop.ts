import { constants } from 'node:os';
import type { CallOutcome } from '../../events/post-call.ts';

/** What ends a run from outside: a signal, or a reader of stdout that has gone. */
export interface Stop {
  readonly signal: AbortSignal;
  /** The exit code of what has stopped a run of that outcome, if anything has. */
  codeFor(outcome: CallOutcome): number | undefined;
}

const signals = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM', SIGHUP: 'the terminal was closed' } as const;

/** Listens for what ends a run, to the end of the process. The first signal aborts, the second one exits at once. `lostOutput` is the code for output that cannot be written. */
export function createStop({ lostOutput = 1 }: { readonly lostOutput?: number } = {}): Stop {
  const controller = new AbortController();
  let code: number | undefined;
  const stop = (exitCode: number, reason: string): void => {
    code ??= exitCode;
    controller.abort(reason);
  };
  for (const [name, reason] of Object.entries(signals) as [keyof typeof signals, string][]) {
    const exitCode = 128 + constants.signals[name];
    process.on(name, () => (controller.signal.aborted ? process.exit(exitCode) : stop(exitCode, reason)));
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return stop(128 + constants.signals.SIGPIPE, 'the reader of the output has gone');
    if (code === undefined) process.stderr.write(`error: stdout: ${error.message}\n`);
    stop(lostOutput, `stdout: ${error.message}`);
    // The run may have been over by the time that its last lines were lost.
    process.exitCode = lostOutput;
  });
  return {
    signal: controller.signal,
    codeFor(outcome) {
      // What was finished in time is finished, but lost output is lost.
      return outcome === 'cancelled' || outcome === 'suspended' || code === lostOutput ? code : undefined;
    },
  };
}
