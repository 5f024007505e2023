import { spawn } from 'node:child_process';

/** Starts a daemon for calls like this one. It outlives this process and shares no handles with it. */
export function startDaemon(place: string): void {
  const [main = '', ...words] = process.argv.slice(1);
  try {
    const child = spawn(process.execPath, [...process.execArgv, main, ...words, '--daemon-at', place], {
      detached: true,
      stdio: 'ignore',
    });
    child.on('error', () => {});
    child.unref();
  } catch {
    // Some errors are emitted, others are thrown. In both cases this process evaluates events itself.
  }
}
