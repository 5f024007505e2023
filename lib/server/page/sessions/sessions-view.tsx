import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../../screens/sessions.ts';
import { go, places } from '../app/route.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { showTime } from '../ui/format.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { connection, mayStart, runs } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';
import { PromptBox } from './prompt-box.tsx';

/** Prompts that show the page at work. The second one needs an approval. */
export const EXAMPLES = ['read README.md', 'delete notes.txt'];

/** The sessions of the user, most recently used first, and a box for a new one. */
export function SessionsView() {
  const { sessions, error } = useSessions();
  return (
    <div class="runs">
      <div class="view-head">
        <h1>Sessions</h1>
      </div>
      {mayStart() && (
        <section aria-label="New session">
          <PromptBox examples={EXAMPLES} onStarted={({ sessionId }) => go(places.session(sessionId))} />
        </section>
      )}
      <ErrorNotice of={error} />
      {sessions?.length === 0 && <p class="empty-list">No sessions yet.</p>}
      <ul class="going">
        {sessions?.map(({ sessionId, title, runs: count, lastAt, state }) => (
          <li key={sessionId}>
            <a href={places.session(sessionId)}>
              <StatePill of={{ state }} />
              <Text in="span" class="going-title" of={title ?? sessionId} />
              <span class="faint">
                {count} {count === 1 ? 'run' : 'runs'}
              </span>
              <span class="going-time">{showTime(lastAt)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Milliseconds between a change of a run and the next request. */
const DELAY = 300;

function useSessions() {
  const [sessions, setSessions] = useState<readonly Session[] | undefined>();
  const [error, setError] = useState('');
  const { value: changed } = runs;
  const { value: state } = connection;
  useEffect(() => {
    if (state === 'none') return undefined;
    const timer = setTimeout(
      async () => {
        const answer = await callApi<{ sessions: readonly Session[] }>('GET', '/api/sessions');
        setError(answer.error);
        if (answer.ok) setSessions(answer.body.sessions);
      },
      sessions ? DELAY : 0,
    );
    return () => clearTimeout(timer);
  }, [changed, state]);
  return { sessions, error };
}
