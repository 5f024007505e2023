import type { Message } from '../events/parts/message.ts';
import type { Logger } from '../pipeline/logger.ts';

/** The messages that a run began with, and what preCall has made of them. */
export interface BegunWith {
  readonly began: readonly Message[];
  readonly settled: readonly Message[];
}

/**
 * Puts what preCall has changed into the messages of each step: hosts begin each with those of the first again. Where a step begins with others,
 * it is left as it is, and `log` is told once.
 */
export function keepPrefix(
  { began, settled }: BegunWith,
  log: Logger,
): (messages: readonly Message[]) => readonly Message[] {
  if (began.length === settled.length && settled.every((message, index) => message === began[index]))
    return (same) => same;
  const prefix = began.map(keyOf);
  const isBegun = (message: Message | undefined, index: number): boolean =>
    message !== undefined && (message === began[index] || keyOf(message) === prefix[index]);
  let warned = false;
  return (messages) => {
    if (began.every((_, index) => isBegun(messages[index], index))) {
      const again = settled.map((message) => messages[began.indexOf(message)] ?? message);
      return [...again, ...messages.slice(prefix.length)];
    }
    if (!warned)
      log.warn(
        {},
        'the messages of this step are not those that the run began with: what preCall changed is not in them',
      );
    warned = true;
    return messages;
  };
}

function keyOf(message: Message): string {
  return JSON.stringify(message);
}
