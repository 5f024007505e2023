import { Logo } from '../ui/icons.tsx';
import { Text } from '../ui/text.tsx';
import { nextTheme, theme } from '../ui/theme.ts';
import { connection, me, open } from '../wire/activity.ts';
import { token } from '../wire/token.ts';
import { helpIsOpen } from './help.tsx';
import { places, route } from './route.ts';

const views = [
  { name: 'Now', place: places.now, holds: ['now'] },
  { name: 'Sessions', place: places.sessions, holds: ['sessions', 'session'] },
  { name: 'Runs', place: places.runs, holds: ['runs', 'run', 'recording', 'file'] },
  { name: 'Hooks', place: places.hooks, holds: ['hooks'] },
] as const;

const connections = {
  connecting: 'Connecting…',
  open: 'Live',
  lost: 'Reconnecting…',
  none: 'Recordings only',
} as const;

/** The views, and the state of the connection to the server. */
export function TopBar() {
  const { view } = route.value;
  const waiting = open.value.length;
  return (
    <header class="top-bar">
      <a class="brand" href={places.now} aria-label="Hookline, now">
        <Logo />
        <span>Hookline</span>
      </a>
      <nav aria-label="Views">
        {views.map(({ name, place, holds }) => (
          <a key={name} href={place} aria-current={(holds as readonly string[]).includes(view) ? 'page' : undefined}>
            {name}
            {name === 'Now' && waiting > 0 && (
              <span class="badge">
                {waiting}
                <span class="read-out"> waiting</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <div class="top-bar-end">
        {token.value !== undefined && (
          <span class={`connection connection-${connection.value}`}>
            <i aria-hidden="true" />
            <span>{connections[connection.value]}</span>
          </span>
        )}
        {me.value && <Text in="span" class="user" of={me.value.user} />}
        <button
          type="button"
          class="quiet"
          onClick={nextTheme}
          aria-label={`Theme: ${theme.value}`}
          title={`Theme: ${theme.value} (t)`}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M8 1.5a6.5 6.5 0 1 0 0 13Z" fill="currentColor" />
            <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.3" />
          </svg>
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            helpIsOpen.value = true;
          }}
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
        >
          <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}
