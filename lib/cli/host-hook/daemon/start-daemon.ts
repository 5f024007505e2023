import { spawn } from 'node:child_process';

/** Starts a daemon for calls like this one. It outlives this process, and holds nothing of it. */
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
    // Some failures come as events, others are thrown. Either way this process goes on judging by itself.
  }
}
