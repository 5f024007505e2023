import { endProcess } from '../end-process.ts';
import type { DialectName } from './dialects/dialect-names.ts';
import type { HostAnswer } from './host-answer.ts';
import { MOST_TIMEOUT, USUAL_TIMEOUT } from './host-hook-flags.ts';
import { readEvent } from './read-event.ts';
import { createJudges } from './worker/judges.ts';

/** Minimum time for hooks to close after the answer, in milliseconds. */
const CLOSE_MS = 500;

/**
 * Handles one call of a command hook. A daemon or a worker process evaluates the event from stdin, and this process exits with the
 * answer. It loads no hooks and few modules, because each tool call waits for it.
 */
export async function callHost(host: DialectName, words: readonly string[]): Promise<void> {
  const end = words.indexOf('--');
  /** After `--`, there are no options. */
  const flags = end < 0 ? words : words.slice(0, end);
  const timeoutMs = limitOf(flags);
  process.once('uncaughtException', (thrown) => endRefusing(flags, thrown));
  const judges = createJudges({ words, timeoutMs, once: true });
  const daemon = flags.includes('--daemon') ? loadDaemon() : undefined;
  // First, because the worker takes longest to start.
  if (!daemon) judges.warm();
  const over = whenOver(timeoutMs);
  let event = '';
  let failure: string | undefined;
  /** Set if no daemon runs. */
  let place: string | undefined;

  async function judge(): Promise<HostAnswer> {
    event = await readEvent(process.stdin);
    if (daemon) {
      place = placeOf(daemon, words, event, (why) => {
        failure = why;
      });
      const answer = place === undefined ? 'absent' : await daemon.askDaemon(place, event, over);
      if (answer === 'lost') throw new Error('the daemon ended while it evaluated the event. Try again.');
      if (answer !== 'absent') {
        place = undefined;
        return answer;
      }
    }
    return (await judges.ask(event, { spentMs: performance.now(), signal: over })) as HostAnswer;
  }

  const ended = new Promise<never>((_, reject) => {
    over.addEventListener('abort', () => reject(over.reason));
  });
  const judged = await Promise.race([judge(), ended]).catch((thrown: Error) => thrown);
  if (failure !== undefined) process.stderr.write(`hookline continues without its daemon: ${failure}\n`);
  const answer = judged instanceof Error ? refuse(host, event, judged.message, flags.includes('--fail-open')) : judged;
  process.stderr.write(answer.stderr);
  process.stdout.write(answer.stdout);
  // A daemon would fail for the same reason.
  if (place !== undefined && !(judged instanceof Error)) daemon?.startDaemon(place);
  process.stdin.destroy();
  // A host kills a command that exceeds its timeout by much, and continues.
  await judges.close(Math.max(CLOSE_MS, timeoutMs - performance.now()));
  await endProcess(answer.code, 0);
}

/** Handles unexpected errors of this process. The host would continue at any exit code other than 2. */
function endRefusing(words: readonly string[], { message }: Error): void {
  process.stderr.write(`hookline could not evaluate the event: ${message}\n`);
  process.exit(words.includes('--fail-open') ? 1 : 2);
}

/** Loaded lazily, because answers do not need the parser of events. */
function refuse(host: DialectName, event: string, why: string, failOpen: boolean): HostAnswer {
  const { refuseEvent }: typeof import('./dialects/refuse-event.ts') = require('./dialects/refuse-event');
  return refuseEvent(host, event, why, failOpen);
}

type Daemon = typeof import('./daemon/call-daemon.ts');

/** Loaded lazily, because a call without a daemon does not need it. */
function loadDaemon(): Daemon {
  return require('./daemon/call-daemon');
}

function placeOf(
  { daemonPlace }: Daemon,
  words: readonly string[],
  event: string,
  report: (why: string) => void,
): string | undefined {
  try {
    const { cwd, workspace_roots: roots } = JSON.parse(event) as {
      cwd?: unknown;
      workspace_roots?: readonly unknown[];
    };
    // Cursor sends the folders of the session, and in `cwd` that of a command.
    const folder = Array.isArray(roots) ? roots[0] : cwd;
    return daemonPlace(words, typeof folder === 'string' && folder !== '' ? folder : process.cwd());
  } catch (thrown) {
    // Invalid events are reported when they are parsed.
    if (!(thrown instanceof SyntaxError || thrown instanceof TypeError)) report((thrown as Error).message);
    return undefined;
  }
}

function limitOf(words: readonly string[]): number {
  const at = words.findIndex((word) => /^--timeout(?:=|$)/.test(word));
  const option = words[at]?.split('=')[1] ?? words[at + 1];
  const seconds = at >= 0 ? Number(option) : USUAL_TIMEOUT;
  // An invalid value is rejected by the option parser.
  return 1_000 * (seconds > 0 && seconds <= MOST_TIMEOUT ? seconds : USUAL_TIMEOUT);
}

/** Aborts after the timeout, which starts with this process, or at a signal. Without this, the host would continue as if the event were allowed. */
function whenOver(ms: number): AbortSignal {
  const over = new AbortController();
  const end = (why: string): void => over.abort(new Error(why));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => end(`it was killed by ${signal}.`));
  setTimeout(() => end(`it took longer than ${ms} ms.`), ms - performance.now()).unref();
  return over.signal;
}
