import { useState } from 'preact/hooks';
import { go, keepQuery, places, route } from '../app/route.ts';
import { stepKeys, useShortcuts } from '../app/shortcuts.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { connection } from '../wire/activity.ts';
import { FilterHelp } from './filter-help.tsx';
import { Recordings } from './recordings.tsx';
import { RunTable } from './run-table.tsx';
import { type ListState, states, useRuns } from './use-runs.ts';

/** The runs of the server, updated live, and its recordings. The address has the filter. */
export function RunsView() {
  const { filter, state } = readQuery();
  const [at, setAt] = useState(-1);
  const { shown, isEmpty, isStale, next, error, more } = useRuns(filter, state);
  const step = (by: number) => setAt(Math.min(Math.max(at + by, 0), shown.length - 1));
  const setFilter = (text: string) => keepQuery({ filter: text, state: state === 'all' ? '' : state });
  useShortcuts({
    ...stepKeys(step),
    // A row of an earlier filter is not opened by accident.
    Enter: () => (shown[at] && !isStale ? go(places.run(shown[at].runId)) : false),
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
              placeholder={'Filter: text, tool:…, user:…, cost>…'}
              aria-label="Filter runs by text or conditions"
              aria-describedby="filter-help"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            <fieldset class="segmented">
              <legend class="read-out">State</legend>
              {states.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={state === one}
                  onClick={() => keepQuery({ filter, state: one === 'all' ? '' : one })}
                >
                  {one}
                </button>
              ))}
            </fieldset>
          </div>
          <FilterHelp />
          <ErrorNotice of={error} />
          {shown.length === 0 ? (
            <p class="empty-list">
              {isEmpty ? 'No runs yet. This view lists runs when they start.' : 'No run matches.'}
            </p>
          ) : (
            <RunTable runs={shown} at={at} isStale={isStale} />
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

function readQuery(): { readonly filter: string; readonly state: ListState } {
  const of = route.value;
  const { filter = '', state = 'all' } = of.view === 'runs' ? of.query : {};
  return { filter, state: states.find((one) => one === state) ?? 'all' };
}
