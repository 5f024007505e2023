import { constants } from 'node:os';
import type { CallOutcome } from '../../events/parts/call-outcome.ts';

/** External causes that end a run: a signal, or a closed stdout. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Returns the exit code of the cause that stopped a run with this outcome, if any. */
  codeFor(outcome: CallOutcome): number | undefined;
}

const signals = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM', SIGHUP: 'the terminal was closed' } as const;

/**
 * Listens for causes that end a run, until the process exits. The first signal aborts, the second one exits at once. `lostOutput` is the exit code
 * for output that cannot be written.
 */
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
    // The run may already be over when its last lines are lost.
    process.exitCode = lostOutput;
  });
  return {
    signal: controller.signal,
    codeFor(outcome) {
      // A run that finished in time keeps its exit code, but lost output overrides it.
      return outcome === 'cancelled' || outcome === 'suspended' || code === lostOutput ? code : undefined;
    },
  };
}
