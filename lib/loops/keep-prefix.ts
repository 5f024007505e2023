import type { Message } from '../events/parts/message.ts';
import type { Logger } from '../pipeline/logger.ts';
import { sourcesOf } from './sources-of.ts';

/** The initial messages of a run, and those that preCall settled. */
export interface BegunWith {
  readonly began: readonly Message[];
  readonly settled: readonly Message[];
}

/**
 * Applies the changes of preCall to the messages of each step. Hosts start each step with the initial messages, and may insert others before or
 * between them. If a step lacks some of the changed messages, `log` receives one warning.
 */
export function keepPrefix(
  { began, settled }: BegunWith,
  log: Logger,
): (messages: readonly Message[]) => readonly Message[] {
  if (began.length === settled.length && settled.every((message, index) => message === began[index]))
    return (same) => same;
  const keys = began.map(keyOf);
  const isBegun = (message: Message | undefined, index: number): boolean =>
    message !== undefined && (message === began[index] || keyOf(message) === keys[index]);
  const sources = sourcesOf(began, settled);
  const added = settled.some((message) => !sources.has(message));
  let warned = false;

  /** Replaces each message on its own, if the host changed messages between them. */
  const oneByOne = (messages: readonly Message[]): readonly Message[] => {
    const found = new Set<number>();
    const changed = messages.flatMap((message) => {
      const at = began.findIndex((_, index) => !found.has(index) && isBegun(message, index));
      if (at < 0) return [message];
      found.add(at);
      return settled.filter((one) => sources.get(one) === began[at]).map((one) => (one === began[at] ? message : one));
    });
    const missed = added || began.some((message, at) => !found.has(at) && !settled.includes(message));
    if (missed && !warned)
      log.warn({}, 'the messages of this step are not those of the start of the run: changes of preCall are missing');
    warned ||= missed;
    return changed;
  };

  return (messages) => {
    const last = messages.length - began.length;
    let from = 0;
    while (from <= last && !began.every((_, index) => isBegun(messages[from + index], index))) from += 1;
    if (from > last) return oneByOne(messages);
    const own = messages.slice(from, from + began.length);
    const again = settled.map((message) => own[began.indexOf(message)] ?? message);
    return [...messages.slice(0, from), ...again, ...messages.slice(from + began.length)];
  };
}

function keyOf(message: Message): string {
  return JSON.stringify(message);
}
