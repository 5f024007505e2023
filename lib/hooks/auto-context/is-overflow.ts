const OVERFLOW =
  /context.{0,24}(?:length|window|size|limit)|(?:prompt|input|request|messages?)\b.{0,40}\b(?:too (?:long|large|big)|exceeds?)|(?:maximum|too many)\b.{0,24}\btokens|token limit/i;
const OF_A_RATE = /per (?:second|minute|hour|day)|\brate\b|\bquota\b|\b[tr]p[md]\b/i;

/** Returns whether a provider's message reports that a request is too long for its model. Providers share no code for this. */
export function isOverflow(message: string): boolean {
  return OVERFLOW.test(message) && !OF_A_RATE.test(message);
}
