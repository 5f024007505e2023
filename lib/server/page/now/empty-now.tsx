import { places } from '../app/route.ts';
import { Recordings } from '../runs/recordings.tsx';
import { connection } from '../wire/activity.ts';

/** What there is to say where nothing goes on. */
export function EmptyNow() {
  if (connection.value === 'connecting') return <p class="loading">Connecting…</p>;
  if (connection.value === 'none')
    return (
      <div class="runs">
        <h1 class="read-out">Now</h1>
        <Recordings />
        <p class="faint">
          This server shows recordings, and runs nothing. <a href={places.file}>Open another one</a> of this computer.
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
      <h1>Nothing waits, nothing runs</h1>
      <p>Calls that wait for your approval come up here, and runs while they go on.</p>
      <p>
        <a href={places.runs}>See the runs that have ended</a>, or <a href={places.file}>open a recording</a>.
      </p>
    </div>
  );
}
