import type { Message } from '../../events/parts/message.ts';

/** Adds up the sizes of messages for a model. If a list begins like the previous one, only the rest is counted. */
export function runningSum(
  sizeOf: (message: Message, model?: string) => number,
): (messages: readonly Message[], model?: string) => number {
  const sums = [0];
  let seen: readonly Message[] = [];
  let seenFor: string | undefined;
  return (messages, model) => {
    const same = model === seenFor ? commonLength(seen, messages) : 0;
    for (let at = same; at < messages.length; at++)
      sums[at + 1] = (sums[at] as number) + sizeOf(messages[at] as Message, model);
    [seen, seenFor] = [messages, model];
    return sums[messages.length] as number;
  };
}

/** Returns the length of the common beginning of two lists. */
export function commonLength(a: readonly Message[], b: readonly Message[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
}
