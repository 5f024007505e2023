import { createConnection } from 'node:net';
import type { HostAnswer } from '../host-answer.ts';

/** The first message of a daemon. After it, the daemon has accepted the call. */
export const READY = 'hookline\n';

/** Timeout of that message, in milliseconds. A slower daemon is not used. */
const READY_MS = 1_000;

/** Returns the daemon's answer, `absent` if it did not accept the call, or `lost` if the outcome is unknown. */
export function askDaemon(place: string, input: string, signal?: AbortSignal): Promise<HostAnswer | 'absent' | 'lost'> {
  return new Promise((resolve) => {
    const socket = createConnection({ path: place, allowHalfOpen: true });
    let text = '';
    let taken = false;
    signal?.addEventListener('abort', () => socket.destroy());
    const late = setTimeout(() => socket.destroy(), READY_MS);
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      if (taken || !text.startsWith(READY)) return;
      taken = true;
      clearTimeout(late);
      socket.end(input);
    });
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(late);
      resolve(taken ? (answerOf(text.slice(READY.length)) ?? 'lost') : 'absent');
    });
  });
}

function answerOf(text: string): HostAnswer | undefined {
  try {
    const { code, stdout, stderr } = JSON.parse(text);
    return { code: Number(code), stdout: String(stdout), stderr: String(stderr) };
  } catch {
    return undefined;
  }
}
