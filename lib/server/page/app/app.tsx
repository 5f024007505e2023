import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { HooksView } from '../hooks/hooks-view.tsx';
import { NowView } from '../now/now-view.tsx';
import { RunPage } from '../run/run-page.tsx';
import { RunsView } from '../runs/runs-view.tsx';
import { SessionView } from '../sessions/session-view.tsx';
import { SessionsView } from '../sessions/sessions-view.tsx';
import { Announcements } from '../ui/announce.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { nextTheme } from '../ui/theme.ts';
import { followActivity, open } from '../wire/activity.ts';
import { token } from '../wire/token.ts';
import { Help, helpIsOpen } from './help.tsx';
import { go, places, type Route, route } from './route.ts';
import { useShortcuts } from './shortcuts.ts';
import { SignIn } from './sign-in.tsx';
import { TopBar } from './top-bar.tsx';

effect(() => {
  const { length } = open.value;
  document.title = length > 0 ? `(${length}) Hookline` : 'Hookline';
});

/** The page: a bar, the view of the current address, and announcements for screen readers. */
export function App() {
  const { value: known } = token;
  useEffect(() => (known === undefined ? undefined : followActivity()), [known]);
  useShortcuts({
    1: () => go(places.now),
    2: () => go(places.sessions),
    3: () => go(places.runs),
    4: () => go(places.hooks),
    t: nextTheme,
    '?': () => {
      helpIsOpen.value = true;
    },
    '/': focusFilter,
    Escape: () => (document.activeElement as HTMLElement | null)?.blur(),
  });
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <TopBar />
      <main id="main" tabIndex={-1}>
        {known === undefined && route.value.view !== 'file' ? (
          <SignIn />
        ) : (
          <ErrorBoundary key={location.hash.split('?')[0]}>
            <View of={route.value} />
          </ErrorBoundary>
        )}
      </main>
      {helpIsOpen.value && <Help />}
      <Announcements />
    </>
  );
}

function View({ of }: { readonly of: Route }) {
  if (of.view === 'sessions') return <SessionsView />;
  if (of.view === 'session') return <SessionView key={of.id} id={of.id} />;
  if (of.view === 'runs') return <RunsView />;
  if (of.view === 'hooks') return <HooksView />;
  if (of.view === 'now') return <NowView />;
  return <RunPage key={`${of.view} ${'id' in of ? of.id : ''}`} route={of} />;
}

function focusFilter(): unknown {
  const filter = document.querySelector<HTMLInputElement>('[data-filter]');
  filter?.focus();
  filter?.select();
  return filter !== null;
}

function skip(): void {
  document.getElementById('main')?.focus();
}
