import { Observable } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { readInput } from '../../events/parts/edited-call.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Answer, Asking, Question } from './ask-function.ts';
import { openTerminal, type Terminal } from './open-terminal.ts';

/** How long what was typed before the question stood there is thrown away, in milliseconds. */
const TYPED_AHEAD_MS = 50;
const LINE = /^([^\r\n]*)(?:\r\n|[\r\n])/;

/** Asks in a terminal; of what comes with the question it needs the signal only. */
export type AskTerminal = (question: Question, asking: Pick<Asking, 'signal'>) => Observable<Answer>;

/**
 * Makes a function that asks in a terminal, one question at a time in the order of asking; y and yes are a yes, s and a one that is
 * remembered where the question offers it, e asks for other arguments as a JSON object, everything else is a no. A question whose signal aborts (or whose Observable is left) makes way for the next. `open` is called for each question.
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
  let read: (line: string) => Answer | Again = (line) => readTyped(line, question);

  function show(text: string): void {
    try {
      terminal?.write(text);
      asking = true;
    } catch (error) {
      onError(error as Error);
    }
  }

  const ask = () => show(`\n${question.prompt.split('\n').map(visibleText).join('\n')} ${choices(question)} `);

  function onData(data: Buffer | string): void {
    if (!asking) return;
    typed += String(data);
    for (let line = LINE.exec(typed); asking && line; line = LINE.exec(typed)) {
      typed = typed.slice(line[0].length);
      const said = read(line[1] ?? '');
      if (typeof said === 'object' && 'again' in said) {
        read = readEdited;
        show(said.again);
      } else answer(said);
    }
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
  return `[y/N, ${[...more, 'e: edit'].join(', ')}]`;
}

/** What to show before the next line is read. */
interface Again {
  readonly again: string;
}

const EDIT = 'Arguments to run with, as a JSON object on one line; nothing is a no: ';

function readTyped(typed: string, { remembers = [] }: Question): Answer | Again {
  const word = typed.trim().toLowerCase();
  if (word === 'e' || word === 'edit') return { again: EDIT };
  const remember = remembers.find((one) => word === one || word === one[0]);
  return remember ? { approved: true, remember } : word === 'y' || word === 'yes';
}

/** A line that is no JSON object is asked for again: a slip must not run anything, nor use the question up. */
function readEdited(typed: string): Answer | Again {
  if (typed.trim() === '') return false;
  try {
    const input = readInput(JSON.parse(typed));
    return input ? { approved: true, input } : { again: `That is not a JSON object.\n${EDIT}` };
  } catch (thrown) {
    return { again: `That is not JSON: ${visibleText(messageOf(thrown))}\n${EDIT}` };
  }
}

function withdraw(terminal: Terminal): void {
  try {
    terminal.write('\n(The question is withdrawn.)\n');
  } catch {
    // The terminal is gone, and so is the question.
  }
}
