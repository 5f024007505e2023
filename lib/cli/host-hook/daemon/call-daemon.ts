import { endProcess } from '../../end-process.ts';
import { readEvent } from '../read-event.ts';
import { askDaemon } from './ask-daemon.ts';
import { daemonPlace } from './daemon-place.ts';
import { handedOver } from './handed-over.ts';

/** As long as it may take without `--timeout`, in seconds. */
const USUAL_TIMEOUT = 25;

/**
 * Has a daemon judge what comes on stdin, and ends with its answer; false where this process has to. It loads nothing else, for each call
 * of a tool waits for it.
 */
export async function callDaemon(words: readonly string[]): Promise<boolean> {
  const over = whenOver(limitOf(words));
  const ended = new Promise<never>((_, reject) => {
    over.addEventListener('abort', () => reject(over.reason));
  });
  try {
    const input = await Promise.race([readEvent(process.stdin), ended]);
    handedOver.input = input;
    const place = placeOf(words, input);
    if (place === undefined) return false;
    const answer = await Promise.race([askDaemon(place, input, over), ended]);
    if (answer === 'lost') throw new Error('the daemon has ended while it judged this. Try again.');
    if (answer === 'absent') {
      handedOver.place = place;
      return false;
    }
    process.stderr.write(answer.stderr);
    process.stdout.write(answer.stdout);
    void endProcess(answer.code);
    return true;
  } catch (thrown) {
    handedOver.refused = (thrown as Error).message;
    // Nothing more is wanted of it, and it would keep this process.
    process.stdin.destroy();
    return false;
  }
}

function placeOf(words: readonly string[], input: string): string | undefined {
  try {
    const { cwd } = JSON.parse(input) as { cwd?: unknown };
    return daemonPlace(words, typeof cwd === 'string' ? cwd : process.cwd());
  } catch (thrown) {
    // What is no event is told where it is read.
    if (!(thrown instanceof SyntaxError || thrown instanceof TypeError)) handedOver.told = (thrown as Error).message;
    return undefined;
  }
}

function limitOf(words: readonly string[]): number {
  const at = words.findIndex((word) => /^--timeout(?:=|$)/.test(word));
  const said = words[at]?.split('=')[1] ?? words[at + 1];
  return 1_000 * ((at >= 0 && Number(said)) || USUAL_TIMEOUT);
}

/** Aborts when the time is over, which began with this process, or somebody ends it: no host may go on as if it had been allowed to. */
function whenOver(ms: number): AbortSignal {
  const over = new AbortController();
  const end = (why: string): void => over.abort(new Error(why));
  // For good: while all else is loaded, nobody else listens.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(`it was ended by ${signal}.`));
  setTimeout(() => end(`it took longer than ${ms} ms.`), ms - performance.now()).unref();
  return over.signal;
}
