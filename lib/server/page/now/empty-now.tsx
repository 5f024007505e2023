import { go, places } from '../app/route.ts';
import { Recordings } from '../runs/recordings.tsx';
import { PromptBox } from '../sessions/prompt-box.tsx';
import { EXAMPLES } from '../sessions/sessions-view.tsx';
import { connection, mayStart } from '../wire/activity.ts';

/** The content of the view if no run is active. */
export function EmptyNow() {
  if (connection.value === 'connecting') return <p class="loading">Connecting…</p>;
  if (connection.value === 'none')
    return (
      <div class="runs">
        <h1 class="read-out">Now</h1>
        <Recordings />
        <p class="faint">
          This server only shows recordings. <a href={places.file}>Open a recording</a> from this computer.
        </p>
      </div>
    );
  return (
    <div class="empty">
      <svg class="empty-lanes" viewBox="0 0 200 60" width="200" height="60" aria-hidden="true">
        <path d="M0 15h200M0 30h200M0 45h200" />
        <circle cx="30" cy="15" r="4" />
        <circle cx="160" cy="45" r="4" />
        <path class="changed" d="m90 24 6 6-6 6-6-6Z" />
      </svg>
      <h1>No pending calls, no active runs</h1>
      <p>This view shows calls that need your approval, and active runs.</p>
      {mayStart() && <PromptBox examples={EXAMPLES} onStarted={({ sessionId }) => go(places.session(sessionId))} />}
      <p>
        <a href={places.runs}>See ended runs</a>, or <a href={places.file}>open a recording</a>.
      </p>
    </div>
  );
}
