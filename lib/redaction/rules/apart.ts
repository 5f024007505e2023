import { afterEscape } from './after-escape.ts';

/** Returns the pattern of a token with a short prefix that is frequent in base64: it must be separated from all base64 characters. */
export function apart(token: string): RegExp {
  return new RegExp(`(?:^|[^\\w+/=.%-]|[?&]\\w{1,24}=|${afterEscape})(${token})(?:[^\\w+/=-]|$)`);
}
