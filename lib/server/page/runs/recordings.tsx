import { useEffect, useState } from 'preact/hooks';
import { places } from '../app/route.ts';
import { showTime } from '../ui/format.ts';
import { Text } from '../ui/text.tsx';
import { callApi } from '../wire/call-api.ts';

interface Recording {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly agent: string;
  readonly changedAt: string;
}

/** Interval at which the list is loaded again, in milliseconds: directories get new recordings. */
const EVERY = 2_000;

/** The recordings that the server was started with; empty if there are none. */
export function Recordings() {
  const [recordings, setRecordings] = useState<readonly Recording[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      const { ok, status, body } = await callApi<{ recordings: readonly Recording[] }>('GET', '/api/recordings');
      if (ok) setRecordings(body.recordings);
      // A server of runs has no recordings.
      if (status !== 404 && timer !== undefined) timer = setTimeout(load, EVERY);
    };
    timer = setTimeout(load);
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, []);
  if (recordings.length === 0) return null;
  return (
    <section class="recordings" aria-labelledby="recordings">
      <h2 id="recordings" class="section-title">
        Recordings <span class="count">{recordings.length}</span>
      </h2>
      <ul class="going">
        {recordings.map(({ id, name, bytes, agent, changedAt }) => (
          <li key={id}>
            <a href={places.recording(id)}>
              <Text in="span" class="going-title" of={name} />
              <span class="faint">
                <Text of={agent} /> · {showTime(changedAt)}
              </span>
              <span class="going-time">{(bytes / 1_000_000).toFixed(bytes < 1_000_000 ? 2 : 1)} MB</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
