import { useEffect, useRef, useState } from 'preact/hooks';
import { filterNames, filterRuns } from '../../runs/filter-runs.ts';
import type { RunPage } from '../../runs/run-page.ts';
import type { RunView } from '../../runs/run-view.ts';
import { go, places } from '../app/route.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { showClock, showCount, showMs, showTime } from '../ui/format.ts';
import { now } from '../ui/now.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { connection, runs, stateOf } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';
import { Recordings } from './recordings.tsx';

const states = ['all', 'running', 'suspended', 'ended'] as const;
const PAGE = 100;
const MOST_FILTER = 500;

/** The runs of the server, updated live, and its recordings. */
export function RunsView() {
  const [filter, setFilter] = useState('');
  const [state, setState] = useState<(typeof states)[number]>('all');
  const [at, setAt] = useState(-1);
  const { known, next, error, more } = usePages(filter, state);
  const all = [...new Map([...known, ...runs.value]).values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  const shown = filterRuns(all, filter).filter((run) => state === 'all' || stateOf(run) === state);
  const step = (by: number) => setAt(Math.min(Math.max(at + by, 0), shown.length - 1));
  useShortcuts({
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    Enter: () => (shown[at] ? go(places.run(shown[at].runId)) : false),
    Escape: () => (filter === '' ? setAt(-1) : setFilter('')),
  });
  return (
    <div class="runs">
      <div class="view-head">
        <h1>Runs</h1>
        <a class="button" href={places.file}>
          Open a recording…
        </a>
      </div>
      <Recordings />
      {connection.value !== 'none' && (
        <>
          <div class="list-bar">
            <input
              type="search"
              data-filter
              placeholder={`Filter: text, or ${filterNames
                .slice(0, 3)
                .map((name) => `${name}:…`)
                .join(' ')}`}
              aria-label={`Filter runs by text, or by ${filterNames.join(':, ')}:`}
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            <fieldset class="segmented">
              <legend class="read-out">State</legend>
              {states.map((one) => (
                <button key={one} type="button" aria-pressed={state === one} onClick={() => setState(one)}>
                  {one === 'suspended' ? 'waiting' : one}
                </button>
              ))}
            </fieldset>
          </div>
          {error !== '' && (
            <p class="notice error">
              <Text of={error} />
            </p>
          )}
          {shown.length === 0 ? (
            <p class="empty-list">
              {all.length === 0 ? 'No runs yet. This view lists runs when they start.' : 'No run matches.'}
            </p>
          ) : (
            <RunTable runs={shown} at={at} />
          )}
          {next !== undefined && (
            <button type="button" onClick={more}>
              Load older runs
            </button>
          )}
        </>
      )}
    </div>
  );
}

function RunTable({ runs, at }: { readonly runs: readonly RunView[]; readonly at: number }) {
  return (
    <table class="run-table">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Run</th>
          <th scope="col" class="medium">
            Agent
          </th>
          <th scope="col" class="wide">
            Session
          </th>
          <th scope="col" class="number wide">
            Steps
          </th>
          <th scope="col" class="number wide">
            Tokens
          </th>
          <th scope="col" class="number">
            Took
          </th>
          <th scope="col" class="number medium">
            Started
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run, index) => (
          <tr key={run.runId} class={index === at ? 'selected' : ''} aria-selected={index === at}>
            <td>
              <StatePill of={{ ...run, state: stateOf(run) }} />
            </td>
            <td class="run-name">
              <a href={places.run(run.runId)}>
                <Text of={run.title ?? run.runId} />
              </a>
              {run.reason !== undefined && (
                <span class="faint">
                  <Text of={run.reason} />
                </span>
              )}
            </td>
            <td class="short medium">
              <Text of={run.agent} />
            </td>
            <td class="short wide">
              <Text of={run.sessionId} />
            </td>
            <td class="number wide">{run.iteration ?? ''}</td>
            <td class="number wide">{run.usage ? showCount(run.usage.inputTokens + run.usage.outputTokens) : ''}</td>
            <td class="number">{tookOf(run)}</td>
            <td class="number medium">{showTime(run.startedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function tookOf({ state, startedAt, endedAt }: RunView): string {
  if (state === 'running') return showClock(now.value - Date.parse(startedAt));
  return endedAt === undefined ? '' : showMs(Date.parse(endedAt) - Date.parse(startedAt));
}

/** Milliseconds after the last key before the server request. */
const TYPING = 200;

/** Returns the requested pages of all matching runs; the activity stream updates them. */
function usePages(filter: string, state: (typeof states)[number]) {
  const [known, setKnown] = useState<ReadonlyMap<string, RunView>>(new Map());
  const [next, setNext] = useState<string | undefined>();
  const [error, setError] = useState('');
  const asked = useRef('');
  const load = async (after?: string) => {
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(filter.trim() !== '' && { filter: filter.slice(0, MOST_FILTER) }),
      ...(state !== 'all' && { state }),
      ...(after !== undefined && { after }),
    });
    asked.current = String(query);
    const answer = await callApi<RunPage>('GET', `/api/runs?${query}`);
    // The query has changed in the meantime.
    if (asked.current !== String(query)) return;
    setError(answer.status === 404 ? '' : answer.error);
    if (!answer.ok) return;
    setKnown((before) => new Map([...before, ...answer.body.runs.map((run) => [run.runId, run] as const)]));
    setNext(answer.body.next);
  };
  const { value } = connection;
  useEffect(() => {
    if (value !== 'open') return undefined;
    const timer = setTimeout(() => void load(), filter === '' ? 0 : TYPING);
    return () => clearTimeout(timer);
  }, [value, filter, state]);
  return { known, next, error, more: () => void load(next) };
}
