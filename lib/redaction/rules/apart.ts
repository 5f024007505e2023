import { afterEscape } from './after-escape.ts';

/** The pattern of a token whose prefix is so short that base64 is full of it: it has to stand apart from all that base64 consists of. */
export function apart(token: string): RegExp {
  return new RegExp(`(?:^|[^\\w+/=.%-]|[?&]\\w{1,24}=|${afterEscape})(${token})(?:[^\\w+/=-]|$)`);
}
