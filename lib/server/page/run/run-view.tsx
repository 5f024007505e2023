import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, places, type Route } from '../app/route.ts';
import { stepKeys, useShortcuts } from '../app/shortcuts.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { Lanes } from '../lanes/lanes.tsx';
import { createLanesState } from '../lanes/lanes-state.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { showNumber } from '../ui/format.ts';
import { runs, waiting } from '../wire/activity.ts';
import type { OpenRun } from '../wire/open-run.ts';
import { ConversationView } from './conversation-view.tsx';
import { EventDetail } from './event-detail.tsx';
import { EventList } from './event-list.tsx';
import { LanesBar } from './lanes-bar.tsx';
import { RunHeader } from './run-header.tsx';
import { shownRows } from './shown-rows.ts';
import { Waterfall } from './waterfall.tsx';

/** The tabs beside the list of events. */
const tabs = { event: 'Event', conversation: 'Conversation', timing: 'Timing' } as const;

/** The layout in which the details follow the list, as in run.css. */
const STACKED = '(max-width: 860px)';

/** A run: its lanes, its events, and the details of the selected one. */
export function RunView({
  run,
  route,
  name,
}: {
  readonly run: OpenRun;
  readonly route: Route;
  readonly name: string | undefined;
}) {
  const state = useMemo(() => createLanesState(run), [run]);
  const [tab, setTab] = useState<'event' | 'conversation' | 'timing'>('event');
  const [filter, setFilter] = useState('');
  const [onlyEffects, setOnlyEffects] = useState(false);
  const [card, setCard] = useState<string | undefined>();
  const { model } = run;
  const rows = useMemo(() => shownRows(model, filter, onlyEffects), [model, run.version.value, filter, onlyEffects]);
  const { value: selected } = state.selected;
  const at = selected < 0 ? -1 : rows.indexOf(model.rows.rowOf(selected));
  const detail = useRef<HTMLElement>(null);
  useEffect(() => {
    if (selected >= 0 && matchMedia(STACKED).matches) detail.current?.scrollIntoView({ block: 'start' });
  }, [selected]);
  const goTo = (place: number) => {
    const next = rows[Math.min(Math.max(place, 0), rows.length - 1)];
    if (next !== undefined) state.select(model.rows.list[next]!.first);
  };
  const step = (by: number) => {
    goTo(at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by);
  };
  const unreported = runs.value.get(route.view === 'run' ? route.id : '')?.unreportedChunks ?? 0;
  const id = route.view === 'run' ? route.id : undefined;
  const cards = [...waiting.value.values()].filter(({ approval }) => id !== undefined && approval.runId === id);
  // The first key selects, the next one answers: a newly arrived call is not answered by accident.
  const choose = () => (card === undefined && cards.length > 0 ? setCard(cards[0]?.approval.id) : false);
  useShortcuts({
    ...stepKeys(step),
    PageDown: () => step(12),
    PageUp: () => step(-12),
    Home: () => goTo(0),
    End: () => goTo(rows.length),
    ArrowLeft: () => state.move(-0.2),
    ArrowRight: () => state.move(0.2),
    '+': () => state.zoom(1.6),
    '=': () => state.zoom(1.6),
    '-': () => state.zoom(1 / 1.6),
    0: state.showAll,
    f: () => {
      state.following.value = !state.following.value;
    },
    o: state.turnAxis,
    a: choose,
    d: choose,
    e: choose,
    c: () => setTab(tab === 'conversation' ? 'event' : 'conversation'),
    w: () => setTab(tab === 'timing' ? 'event' : 'timing'),
    x: () => setOnlyEffects(!onlyEffects),
    Escape: () => (selected >= 0 ? state.select(-1) : go(places.runs)),
  });

  const inside = useMemo(
    () => cards.flatMap(({ approval, given }) => (approval.inside && !given ? [approval] : [])),
    [waiting.value, id],
  );
  const isEmpty = model.events.length === 0;
  return (
    <div class="run-view">
      <ErrorBoundary>
        <RunHeader run={run} runId={id} name={name} />
      </ErrorBoundary>
      <ErrorNotice of={run.error.value} />
      {model.lost > 0 && <p class="notice">{showNumber(model.lost)} events were dropped to save memory.</p>}
      {unreported > 0 && (
        <p class="notice">The effects of hooks on {showNumber(unreported)} more chunks were dropped to save memory.</p>
      )}
      {cards.length > 0 && (
        <div class="cards">
          {cards.map((one) => (
            <div key={one.approval.id} onFocusIn={() => setCard(one.approval.id)}>
              <ApprovalCard of={one} selected={one.approval.id === card} />
            </div>
          ))}
        </div>
      )}
      {isEmpty ? (
        run.error.value === '' && (
          <p class="loading">{run.state.value === 'ended' ? 'There are no events.' : 'Waiting for the first event…'}</p>
        )
      ) : (
        <>
          <LanesBar run={run} state={state} />
          <Lanes run={run} state={state} waiting={inside} />
          <div class="run-split">
            <EventList
              {...{ model, rows, at, filter, setFilter, onlyEffects, setOnlyEffects }}
              follow={state.following.value && run.state.value === 'live'}
              onSelect={(row) => state.select(model.rows.list[row]!.first)}
            />
            <section class="detail" aria-label="Details" ref={detail}>
              <div class="tabs" role="tablist">
                {(['event', 'conversation', 'timing'] as const).map((one) => (
                  <button
                    key={one}
                    type="button"
                    role="tab"
                    id={`tab-${one}`}
                    aria-selected={tab === one}
                    aria-controls="detail-panel"
                    onClick={() => setTab(one)}
                  >
                    {tabs[one]}
                  </button>
                ))}
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
              <div class="detail-panel" id="detail-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
                <ErrorBoundary key={tab === 'timing' ? tab : `${tab} ${selected}`}>
                  {tab === 'event' && <EventDetail model={model} index={selected} />}
                  {tab === 'timing' && <Waterfall run={run} onSelect={state.select} />}
                  {tab === 'conversation' && (
                    <ConversationView
                      run={run}
                      upTo={selected < 0 ? model.events.length - 1 : selected}
                      onSelect={state.select}
                    />
                  )}
                </ErrorBoundary>
              </div>
            </section>
          </div>
        </>
      )}
    </div>
  );
}
