import { useEffect, useState } from 'preact/hooks';
import type { HookInForce } from '../../config/config-schemas.ts';
import type { HookStatistics } from '../../screens/hook-statistics.ts';
import { showTime } from '../ui/format.ts';
import { callApi } from '../wire/call-api.ts';

export type HookNumbers = HookStatistics['hooks'][number];

/** The interval of requests for the statistics, in milliseconds. */
const EVERY = 5_000;

/** Returns the hooks in force with their statistics, refreshed while they are visible. */
export function useHooks(days?: number) {
  const [hooks, setHooks] = useState<readonly HookInForce[]>([]);
  const [numbers, setNumbers] = useState<ReadonlyMap<string, HookNumbers>>(new Map());
  const [since, setSince] = useState<string | undefined>();
  const [error, setError] = useState('');
  const reload = async () => {
    const answer = await callApi<{ hooks: readonly HookInForce[] }>('GET', '/api/hooks/in-force');
    setError(answer.error);
    if (answer.ok) setHooks(answer.body.hooks);
  };
  useEffect(() => {
    const count = async () => {
      const { ok, body } = await callApi<{ since: string | number; hooks: readonly HookNumbers[] }>(
        'GET',
        `/api/hooks/statistics${days === undefined ? '' : `?days=${days}`}`,
      );
      if (!ok) return;
      setSince(showTime(body.since));
      setNumbers(new Map(body.hooks.map((hook) => [hook.name, hook])));
    };
    void reload();
    void count();
    const timer = setInterval(() => void count(), EVERY);
    return () => clearInterval(timer);
  }, [days]);
  return { hooks, numbers, since, error, reload: () => void reload() };
}
