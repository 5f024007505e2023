import { useEffect, useState } from 'preact/hooks';
import { places } from '../app/route.ts';
import { Text } from '../ui/text.tsx';
import { callApi } from '../wire/call-api.ts';

interface Recording {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
}

/** The recordings that the server was started with; empty if there are none. */
export function Recordings() {
  const [recordings, setRecordings] = useState<readonly Recording[]>([]);
  useEffect(() => {
    void callApi<{ recordings: readonly Recording[] }>('GET', '/api/recordings').then(
      ({ ok, body }) => ok && setRecordings(body.recordings),
    );
  }, []);
  if (recordings.length === 0) return null;
  return (
    <section class="recordings" aria-labelledby="recordings">
      <h2 id="recordings" class="section-title">
        Recordings <span class="count">{recordings.length}</span>
      </h2>
      <ul class="going">
        {recordings.map(({ id, name, bytes }) => (
          <li key={id}>
            <a href={places.recording(id)}>
              <span class="going-title">
                <Text of={name} />
              </span>
              <span class="going-time">{(bytes / 1_000_000).toFixed(bytes < 1_000_000 ? 2 : 1)} MB</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
