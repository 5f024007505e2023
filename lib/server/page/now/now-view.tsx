import { useState } from 'preact/hooks';
import type { RunView } from '../../runs/run-view.ts';
import { go, places } from '../app/route.ts';
import { stepKeys, useShortcuts } from '../app/shortcuts.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { Recordings } from '../runs/recordings.tsx';
import { PromptBox } from '../sessions/prompt-box.tsx';
import { EXAMPLES } from '../sessions/sessions-view.tsx';
import { showClock, showCount } from '../ui/format.ts';
import { now } from '../ui/now.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { connection, mayStart, runs, stateOf, waiting } from '../wire/activity.ts';

/** The calls that require an answer now, and the active runs. */
export function NowView() {
  const [chosen, setChosen] = useState<string | undefined>();
  const cards = [...waiting.value.values()].sort(
    (a, b) => Number(!!a.given) - Number(!!b.given) || a.approval.expiresAt.localeCompare(b.approval.expiresAt),
  );
  const going = [...runs.value.values()]
    .filter(({ state }) => state === 'running')
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  const items = [...cards.map(({ approval }) => approval.id), ...going.map(({ runId }) => runId)];
  const at = chosen === undefined ? -1 : items.indexOf(chosen);
  const step = (by: number) => setChosen(items[Math.min(Math.max(at < 0 ? 0 : at + by, 0), items.length - 1)]);
  // A key answers only a selected call, so that a newly arrived call is not answered by accident.
  const first = () => (at < 0 && cards.length > 0 ? setChosen(cards[0]?.approval.id) : false);
  useShortcuts({
    ...stepKeys(step),
    a: first,
    d: first,
    e: first,
    Enter: () => {
      const run = going.find(({ runId }) => runId === chosen)?.runId ?? waiting.value.get(chosen ?? '')?.approval.runId;
      return run === undefined ? false : go(places.run(run));
    },
    Escape: () => setChosen(undefined),
  });
  if (items.length === 0) return <EmptyNow />;
  return (
    <div class="now">
      <h1 class="read-out">Now</h1>
      {cards.length > 0 && (
        <section aria-labelledby="waiting">
          <h2 id="waiting" class="section-title">
            Pending calls <span class="count">{cards.filter(({ given }) => !given).length}</span>
          </h2>
          <div class="cards">
            {cards.map((one) => (
              <div
                key={one.approval.id}
                onFocusIn={() => setChosen(one.approval.id)}
                onPointerDown={() => setChosen(one.approval.id)}
              >
                <ApprovalCard of={one} selected={one.approval.id === chosen} />
              </div>
            ))}
          </div>
        </section>
      )}
      <section aria-labelledby="going">
        <h2 id="going" class="section-title">
          Running <span class="count">{going.length}</span>
        </h2>
        {going.length === 0 && <p class="faint">No active runs.</p>}
        <ul class="going">
          {going.map((run) => (
            <li key={run.runId} class={run.runId === chosen ? 'selected' : ''}>
              <a href={places.run(run.runId)}>
                <StatePill of={{ ...run, state: stateOf(run) }} />
                <Text in="span" class="going-title" of={run.title ?? run.runId} />
                <span class="faint">
                  <Text of={run.agent} /> · step {run.iteration ?? 0}
                  {run.doing && <Doing of={run.doing} />}
                  {run.model !== undefined && (
                    <>
                      {' '}
                      · <Text of={run.model} />
                    </>
                  )}
                  {run.usage && ` · ${showCount(run.usage.inputTokens + run.usage.outputTokens)} tokens`}
                </span>
                <span class="going-time">{showClock(now.value - Date.parse(run.startedAt))}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** `model request for 0:04`, `runs deploy for 1:12`. */
function Doing({ of: { what, tools = [], since } }: { readonly of: NonNullable<RunView['doing']> }) {
  return (
    <>
      {' · '}
      {what === 'reasoning' ? 'model request' : <Text of={`runs ${tools.join(', ')}`} />} for{' '}
      {showClock(now.value - Date.parse(since))}
    </>
  );
}

/** The content of the view if no run is active. */
function EmptyNow() {
  if (connection.value === 'connecting') return <p class="loading">Connecting…</p>;
  if (connection.value === 'none')
    return (
      <div class="runs">
        <h1 class="read-out">Now</h1>
        <Recordings />
        <p class="faint">
          This server only shows recordings. <a href={places.file}>Open a recording</a> from this computer.
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
      <h1>No pending calls, no active runs</h1>
      <p>This view shows calls that need your approval, and active runs.</p>
      {mayStart() && <PromptBox examples={EXAMPLES} onStarted={({ sessionId }) => go(places.session(sessionId))} />}
      <p>
        <a href={places.runs}>See ended runs</a>, or <a href={places.file}>open a recording</a>.
      </p>
    </div>
  );
}
