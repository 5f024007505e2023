import { signal } from '@preact/signals';

const KEY = 'hookline.token';

/** The token of this tab, or the reason why there is none. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined);
export const tokenError = signal('');

/** Removes the token from the address, where it should not stay: `#token=..`, with `&go=/runs/..` for the first view. */
export function takeTokenFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = given.get('token');
  if (found === null) return;
  keepToken(found);
  history.replaceState(null, '', `${location.pathname}#${given.get('go') ?? '/now'}`);
}

/** Stores a token for this tab. */
export function keepToken(given: string): void {
  sessionStorage.setItem(KEY, given);
  token.value = given;
  tokenError.value = '';
}

/** Forgets a token that the server rejects. */
export function dropToken(why: string): void {
  sessionStorage.removeItem(KEY);
  token.value = undefined;
  tokenError.value = why;
}
