import { useState } from 'preact/hooks';
import { go, keepQuery, places, route } from '../app/route.ts';
import { stepKeys, useShortcuts } from '../app/shortcuts.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { connection } from '../wire/activity.ts';
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

const examples = [
  ['deploy "exit code"', 'prompts, answers, calls and results with this word and this text'],
  ['tool:bash', 'a tool was called'],
  ['agent: session: model: user:', 'names that contain the text'],
  ['state:waiting outcome:failed', 'state or outcome'],
  ['by:guard', 'a hook decided'],
  ['after:2026-01-31 before:2026-02-07', 'start time'],
  ['cost>0.5 tokens>10000', 'sums; also with <'],
] as const;

function FilterHelp() {
  return (
    <details class="filter-help">
      <summary>Filter syntax</summary>
      <dl id="filter-help">
        {examples.map(([example, what]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
