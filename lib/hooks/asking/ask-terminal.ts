import { Observable } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { readInput } from '../../events/parts/edited-call.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Answer, Asking, Question } from './ask-function.ts';
import { openTerminal, type Terminal } from './open-terminal.ts';

/** Milliseconds before the prompt is shown, in which typed-ahead input is discarded. */
const TYPED_AHEAD_MS = 50;
const LINE = /^([^\r\n]*)(?:\r\n|[\r\n])/;

/** Asks in a terminal. Uses only the signal of the context. */
export type AskTerminal = (question: Question, asking: Pick<Asking, 'signal'>) => Observable<Answer>;

/**
 * Creates a function that asks in a terminal, one question at a time, in order. `y` and `yes` approve. `s` and `a` approve with a grant, if the
 * question offers it. `e` asks for other arguments as a JSON object. Any other input denies. If its signal aborts or its subscriber unsubscribes, a
 * question ends and the next one begins. `open` is called for each question.
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
      const onAnswer = (answer: Answer) => {
        // Release the terminal first, because the answer may cause the next question.
        leave();
        subscriber.next(answer);
        subscriber.complete();
      };
      const turn = () => {
        stop = askOnce(open, question, onAnswer);
      };
      subscriber.add(leave);
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel);
      if (queue.push(turn) === 1) turn();
    });
}

/** Asks in the terminal of this process. All callers share one queue. */
export const askTerminal: AskTerminal = createAskTerminal();

const refusal = (reason: string): Answer => ({ approved: false, reason });
const closed = refusal('the approval prompt ended: the terminal was closed');

/** Calls back with the answer, asynchronously and at most once. The returned function ends the question and closes the terminal. */
function askOnce(
  open: () => Terminal | undefined,
  question: Question,
  onAnswer: (answer: Answer) => void,
): (() => void) | undefined {
  const terminal = open();
  if (!terminal) {
    onAnswer(refusal('no approver available: there is no terminal'));
    return undefined;
  }
  const { input } = terminal;
  if (input.readableEnded || input.destroyed) {
    terminal.close();
    onAnswer(closed);
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
      onError(error);
    }
  }

  const ask = () => show(`\n${question.prompt.split('\n').map(visibleText).join('\n')} ${choices(question)} `);

  function onData(data: unknown): void {
    if (!asking) return;
    typed += String(data);
    for (let line = LINE.exec(typed); asking && line; line = LINE.exec(typed)) {
      typed = typed.slice(line[0].length);
      const typedAnswer = read(line[1] ?? '');
      if (typeof typedAnswer === 'object' && 'again' in typedAnswer) {
        read = readEdited;
        show(typedAnswer.again);
      } else answer(typedAnswer);
    }
  }

  const onEnd = () => answer(closed);
  const onError = (error: unknown) =>
    answer(refusal(`no approver available: the terminal failed (${messageOf(error)})`));

  function answer(value: Answer): void {
    asking = false;
    onAnswer(value);
  }

  const timer = setTimeout(ask, TYPED_AHEAD_MS);
  input.on('data', onData).on('end', onEnd).on('error', onError);
  // A listener alone does not resume a stream that was paused after the last question.
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
    ...(remembers.includes('session') ? ['s: session'] : []),
    ...(remembers.includes('always') ? ['a: always'] : []),
  ];
  return `[y/N, ${[...more, 'e: edit'].join(', ')}]`;
}

/** The text to show before the next line is read. */
interface Again {
  readonly again: string;
}

const EDIT = 'New arguments, a JSON object on one line (empty: deny): ';

function readTyped(typed: string, { remembers = [] }: Question): Answer | Again {
  const word = typed.trim().toLowerCase();
  if (word === 'e' || word === 'edit') return { again: EDIT };
  const remember = remembers.find((one) => word === one || word === one[0]);
  return remember ? { approved: true, remember } : word === 'y' || word === 'yes';
}

/** Prompts again for a line that is not a JSON object: a typing error must neither run a call nor end the question. */
function readEdited(typed: string): Answer | Again {
  if (typed.trim() === '') return false;
  try {
    const input = readInput(JSON.parse(typed));
    return input ? { approved: true, input } : { again: `Not a JSON object.\n${EDIT}` };
  } catch (thrown) {
    return { again: `Not valid JSON: ${visibleText(messageOf(thrown))}\n${EDIT}` };
  }
}

function withdraw(terminal: Terminal): void {
  try {
    terminal.write('\n(The approval prompt is retracted.)\n');
  } catch {
    // The terminal is closed, which ends the question.
  }
}
