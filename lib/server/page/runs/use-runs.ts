import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../runs/run-view.ts';
import { isAfter, piecesOfWork, workOf } from '../../runs/view/pieces-of-work.ts';
import type { RunPage } from '../../runs/view/run-page.ts';
import { connection, runs, stateOf } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';

export const states = ['all', 'running', 'waiting', 'ended'] as const;
export type ListState = (typeof states)[number];

const PAGE = 100;
const MOST_FILTER = 500;
/** Milliseconds after the last key, or the last change of a run, before the server request. */
const TYPING = 200;

/** Returns the runs that match, newest first. The server searches; the activity stream updates the runs. */
export function useRuns(filter: string, state: ListState) {
  const isNarrow = filter.trim() !== '' || state !== 'all';
  // A changed run may match now.
  const changes = isNarrow ? [...runs.value.values()].map((run) => run.runId + stateOf(run)).join() : '';
  const { known, next, error, more, loaded } = usePages(filter, state, changes);
  /** Whether the rows are those of an earlier filter. */
  const isStale = isNarrow && loaded !== keyOf(filter, state);
  const listed = piecesOf([...known.values(), ...(isNarrow ? [] : runs.value.values())]);
  const shown = listed
    .map((run) => (isNarrow ? current(run) : run))
    .filter((run) => state === 'all' || shownState(run) === state)
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  return { shown, isEmpty: known.size === 0 && runs.value.size === 0, isStale, next, error, more };
}

function keyOf(filter: string, state: ListState): string {
  return `${state} ${filter}`;
}

/** One view for each piece of work. Of several views of a run, the last counts. */
export function piecesOf(views: readonly RunView[]): readonly RunView[] {
  const latest = new Map(views.map((view) => [view.runId, view]));
  return piecesOfWork([...latest.values()].map((view) => ({ view, texts: [] }))).map(({ view }) => view);
}

/** The view of the activity stream, if it is newer. */
function current(view: RunView): RunView {
  const live = [...runs.value.values()].filter((one) => workOf(one) === workOf(view));
  return live.reduce((last, one) => (one.runId === last.runId || isAfter(one, last) ? one : last), view);
}

function shownState(run: RunView): ListState {
  const state = stateOf(run);
  return state === 'suspended' ? 'waiting' : state;
}

function usePages(filter: string, state: ListState, changes: string) {
  const [known, setKnown] = useState<ReadonlyMap<string, RunView>>(new Map());
  const [next, setNext] = useState<string | undefined>();
  const [error, setError] = useState('');
  const [loaded, setLoaded] = useState('');
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
    setLoaded(keyOf(filter, state));
    if (!answer.ok) return;
    const found = answer.body.runs.map((run) => [run.runId, run] as const);
    setKnown((before) => new Map([...(after === undefined ? [] : before), ...found]));
    setNext(answer.body.next);
  };
  const { value } = connection;
  useEffect(() => {
    if (value !== 'open') return undefined;
    const timer = setTimeout(() => void load(), filter === '' && changes === '' ? 0 : TYPING);
    return () => clearTimeout(timer);
  }, [value, filter, state, changes]);
  return { known, next, error, loaded, more: () => void load(next) };
}
