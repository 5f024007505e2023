import { Observable } from 'rxjs';
import { visibleText } from '../text/visible-text.ts';
import type { Answer, Asking, Question } from './ask-function.ts';
import { openTerminal, type Terminal } from './open-terminal.ts';

/** How long what was typed before the question stood there is thrown away, in milliseconds. */
const TYPED_AHEAD_MS = 50;

/** Asks in a terminal; of what comes with the question it needs the signal only. */
export type AskTerminal = (question: Question, asking: Pick<Asking, 'signal'>) => Observable<Answer>;

/**
 * Makes a function that asks in a terminal, one question at a time in the order of asking; y and yes are a yes, s and a one that is
 * remembered where the question offers it, everything else is a no. A question whose signal aborts (or whose Observable is left) makes way for the next. `open` is called for each question.
 */
export function createAskTerminal(open: () => Terminal | undefined = openTerminal): AskTerminal {
  const queue: (() => void)[] = [];

  return (question, { signal }) =>
    new Observable<Answer>((subscriber) => {
      let stop: (() => void) | undefined;
      const leave = () => {
        signal.removeEventListener('abort', cancel);
        stop?.();
        stop = undefined;
        const place = queue.indexOf(turn);
        if (place >= 0) queue.splice(place, 1);
        if (place === 0) queue[0]?.();
      };
      const cancel = () => subscriber.complete();
      const tell = (answer: Answer) => {
        // The terminal is given back first, since the answer may bring the next question.
        leave();
        subscriber.next(answer);
        subscriber.complete();
      };
      const turn = () => {
        stop = askOnce(open, question, tell);
      };
      subscriber.add(leave);
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel);
      if (queue.push(turn) === 1) turn();
    });
}

/** Asks in the terminal of this process; all who ask here share one queue. */
export const askTerminal: AskTerminal = createAskTerminal();

const refusal = (reason: string): Answer => ({ approved: false, reason });
const closed = refusal('nobody answered: the terminal was closed');

/** Tells the answer later, at most once; what it returns ends the question and closes the terminal. */
function askOnce(
  open: () => Terminal | undefined,
  question: Question,
  tell: (answer: Answer) => void,
): (() => void) | undefined {
  const terminal = open();
  if (!terminal) {
    tell(refusal('nobody could be asked: there is no terminal'));
    return undefined;
  }
  const { input } = terminal;
  if (input.readableEnded || input.destroyed) {
    terminal.close();
    tell(closed);
    return undefined;
  }
  let asking = false;
  let typed = '';

  function ask(): void {
    try {
      terminal?.write(`\n${question.prompt.split('\n').map(visibleText).join('\n')} ${choices(question)} `);
      asking = true;
    } catch (error) {
      onError(error as Error);
    }
  }

  function onData(data: Buffer | string): void {
    if (!asking) return;
    typed += String(data);
    const end = typed.search(/[\r\n]/);
    if (end >= 0) answer(readTyped(typed.slice(0, end), question));
  }

  const onEnd = () => answer(closed);
  const onError = (error: Error) => answer(refusal(`nobody could be asked: the terminal failed (${error.message})`));

  function answer(value: Answer): void {
    asking = false;
    tell(value);
  }

  const timer = setTimeout(ask, TYPED_AHEAD_MS);
  input.on('data', onData).on('end', onEnd).on('error', onError);
  // A listener alone does not wake a stream that was paused after the last question.
  input.resume();
  return () => {
    clearTimeout(timer);
    input.off('data', onData).off('end', onEnd).off('error', onError);
    if (asking) withdraw(terminal);
    terminal.close();
  };
}

function choices({ remembers = [] }: Question): string {
  const more = [
    ...(remembers.includes('session') ? ['s: yes for this session'] : []),
    ...(remembers.includes('always') ? ['a: always'] : []),
  ];
  return more.length === 0 ? '[y/N]' : `[y/N, ${more.join(', ')}]`;
}

function readTyped(typed: string, { remembers = [] }: Question): Answer {
  const word = typed.trim().toLowerCase();
  const remember = remembers.find((one) => word === one || word === one[0]);
  return remember ? { approved: true, remember } : word === 'y' || word === 'yes';
}

function withdraw(terminal: Terminal): void {
  try {
    terminal.write('\n(The question is withdrawn.)\n');
  } catch {
    // The terminal is gone, and so is the question.
  }
}
