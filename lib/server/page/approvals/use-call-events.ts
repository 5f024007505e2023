import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Approval } from '../../approvals/approval.ts';
import { callApi } from '../wire/call-api.ts';

const TRIES = 5;
const LATER = 250;

/** Returns the last steps of the run of a pending call; empty until they are loaded. */
export function useCallEvents({ id }: Approval): readonly JsonObject[] {
  const [events, setEvents] = useState<readonly JsonObject[]>([]);
  useEffect(() => {
    let timer = 0;
    const load = async (tries: number) => {
      const path = `/api/approvals/${encodeURIComponent(id)}`;
      const { ok, body } = await callApi<{ events?: readonly JsonObject[] }>('GET', path);
      if (ok && body.events && body.events.length > 0) setEvents(body.events);
      // An event is recorded a moment after it happens.
      else if (ok && tries > 1) timer = setTimeout(() => void load(tries - 1), LATER);
    };
    void load(TRIES);
    return () => clearTimeout(timer);
  }, [id]);
  return events;
}
