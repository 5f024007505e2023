import { signal } from '@preact/signals';
import { takeTokenFromAddress } from '../wire/token.ts';

/** The place in the page, from the fragment of the address. */
export type Route =
  | { readonly view: 'now' | 'sessions' | 'hooks' | 'file' }
  | { readonly view: 'runs'; readonly query: Readonly<Record<string, string>> }
  | { readonly view: 'session' | 'run' | 'recording'; readonly id: string };

export const route = signal<Route>(readRoute());

/** The address of each view. */
export const places = {
  now: '#/now',
  sessions: '#/sessions',
  runs: '#/runs',
  hooks: '#/hooks',
  file: '#/file',
  session: (id: string) => `#/sessions/${encodeURIComponent(id)}`,
  run: (id: string) => `#/runs/${encodeURIComponent(id)}`,
  recording: (id: string) => `#/recordings/${encodeURIComponent(id)}`,
} as const;

export function go(place: string): void {
  location.hash = place;
}

/** Stores the query of the current view in the address, without a new entry in the history. */
export function keepQuery(query: Readonly<Record<string, string>>): void {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  const [place] = location.hash.split('?');
  const text = String(new URLSearchParams(filled));
  history.replaceState(null, '', text === '' ? place : `${place}?${text}`);
  route.value = readRoute();
}

export function followAddress(): void {
  const read = () => {
    // Also if a token is pasted into the address of an open page: after a restart there is a new one.
    takeTokenFromAddress();
    route.value = readRoute();
  };
  read();
  addEventListener('hashchange', read);
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view, id] = path.split('/');
  if (view === 'sessions' && id) return { view: 'session', id: plain(id) };
  if (view === 'runs' && id) return { view: 'run', id: plain(id) };
  if (view === 'recordings' && id) return { view: 'recording', id: plain(id) };
  if (view === 'runs') return { view, query: Object.fromEntries(new URLSearchParams(query)) };
  if (view === 'sessions' || view === 'hooks' || view === 'file') return { view };
  return { view: 'now' };
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
