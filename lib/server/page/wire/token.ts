import { signal } from '@preact/signals';

const KEY = 'hookline.token';

/** The token of this tab, or why there is none. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined);
export const tokenError = signal('');

/** Takes the token out of the address, where it should not stay: `#token=..`, with `&go=/runs/..` for where to begin. */
export function takeTokenFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = given.get('token');
  if (found === null) return;
  keepToken(found);
  history.replaceState(null, '', `${location.pathname}#${given.get('go') ?? '/now'}`);
}

/** Keeps a token for this tab. */
export function keepToken(given: string): void {
  sessionStorage.setItem(KEY, given);
  token.value = given;
  tokenError.value = '';
}

/** Forgets a token that the server does not take. */
export function dropToken(why: string): void {
  sessionStorage.removeItem(KEY);
  token.value = undefined;
  tokenError.value = why;
}
