import { spawn } from 'node:child_process';

/** Starts a daemon for calls like this one. It outlives this process, and holds nothing of it. */
export function startDaemon(place: string): void {
  const [main = '', ...words] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, main, ...words, '--daemon-at', place], {
    detached: true,
    stdio: 'ignore',
  });
  // Then this process goes on judging by itself.
  child.on('error', () => {});
  child.unref();
}
