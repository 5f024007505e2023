import { useMemo, useState } from 'preact/hooks';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import { places } from '../app/route.ts';
import { stepKeys, useShortcuts } from '../app/shortcuts.ts';
import { ChangeView } from '../diff/change-view.tsx';
import { count, describeEvent } from '../model/describe-event.ts';
import { marks } from '../model/mark-of.ts';
import type { RunModel } from '../model/run-model.ts';
import { EventDetail } from '../run/event-detail.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Fact } from '../ui/fact.tsx';
import { showNumber } from '../ui/format.ts';
import { MarkIcon } from '../ui/icons.tsx';
import { Text } from '../ui/text.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { OpenReplay } from './open-replay.ts';
import { type PairedRow, pairedRows, type ReplayedRun } from './paired-rows.ts';

/** A recording beside its replay, run by run. */
export function ReplayView({ of: { runs, hooks, recordedBy } }: { readonly of: OpenReplay }) {
  const [at, setAt] = useState(0);
  const run = runs[at];
  if (!run) return <p class="loading">The recording contains no run that can be replayed.</p>;
  return (
    <div class="run-view">
      <header class="run-header">
        <div class="run-title">
          <a class="back" href={places.runs} aria-label="All runs">
            Runs
          </a>
          <span aria-hidden="true">/</span>
          <Text in="h1" of={run.run.agent} />
          <span class="tag">replay</span>
        </div>
        <dl class="facts">
          <Fact name="recorded" value={count(run.recorded.events.length, 'event')} />
          <Fact name="replayed" value={count(run.replayed.events.length, 'event')} />
          <Fact name="different" value={count(run.differences.length, 'event')} />
          {recordedBy !== undefined && <Fact name="recorded by" value={recordedBy} />}
          {hooks.length > 0 && <Fact name="other hooks" value={hooks.map(({ name }) => name).join(', ')} />}
        </dl>
        {runs.length > 1 && (
          <label>
            Run{' '}
            <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
              {runs.map(({ run: { agent, runId }, differences }, index) => (
                <option key={runId} value={index}>
                  {agent.slice(0, 60)} ({differences.length === 0 ? 'same events' : `${differences.length} differ`})
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      <Notices of={run} />
      <Pairs key={at} of={run} />
    </div>
  );
}

function Notices({ of: { differences, missing, unknown, exact } }: { readonly of: ReplayedRun }) {
  return (
    <>
      {differences.length === 0 && <p class="notice">The replay has the same events.</p>}
      {missing !== undefined && <ErrorNotice of={`The replay ends: the recording does not contain ${missing}.`} />}
      {unknown > 0 && <p class="notice">{showNumber(unknown)} effects of hooks outside could not be repeated.</p>}
      {!exact && differences.length > 0 && (
        <p class="notice">The recording does not contain all raw input, which may be the cause of differences.</p>
      )}
    </>
  );
}

function Pairs({ of: run }: { readonly of: ReplayedRun }) {
  const rows = useMemo(() => pairedRows(run), [run]);
  const different = (row: PairedRow | undefined) => row !== 'parting' && row?.difference !== undefined;
  const [at, setAt] = useState(() => rows.findIndex(different));
  const step = (by: number, test: (row: PairedRow | undefined) => boolean) => {
    for (let next = at + by; next >= 0 && next < rows.length; next += by) if (test(rows[next])) return setAt(next);
    return undefined;
  };
  const isEvent = (row: PairedRow | undefined) => row !== 'parting';
  useShortcuts({
    ...stepKeys((by) => step(by, isEvent)),
    n: () => step(1, different),
    p: () => step(-1, different),
  });
  const selected = rows[at];
  const row = selected === 'parting' ? undefined : selected;
  return (
    <div class="replay-split">
      <section class="event-list" aria-label="Recorded and replayed events">
        <div class="pair pair-head" aria-hidden="true">
          <strong>Recorded</strong>
          <strong>Replayed</strong>
        </div>
        <VirtualList
          count={rows.length}
          rowHeight={30}
          selected={at}
          label="Recorded and replayed events"
          onSelect={(place) => rows[place] !== 'parting' && setAt(place)}
          row={(place) => <Pair of={rows[place]!} run={run} />}
        />
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section class="replay-detail" aria-label="Details" tabIndex={0}>
        {row?.difference && <Difference of={row.difference} />}
        <div class="pair-detail">
          <EventDetail model={run.recorded} index={row?.recorded ?? -1} />
          <EventDetail model={run.replayed} index={row?.replayed ?? -1} />
        </div>
      </section>
    </div>
  );
}

function Pair({ of: row, run: { recorded, replayed } }: { readonly of: PairedRow; readonly run: ReplayedRun }) {
  if (row === 'parting') return <div class="parting">Past this point the recording no longer fits.</div>;
  return (
    <div class={row.difference ? 'pair differs' : row.isCompared ? 'pair' : 'pair faint'}>
      <Side model={recorded} index={row.recorded} />
      <Side model={replayed} index={row.replayed} />
      {row.difference ? (
        <span class="read-out">different</span>
      ) : (
        !row.isCompared && <span class="read-out">not compared</span>
      )}
    </div>
  );
}

function Side({ model, index }: { readonly model: RunModel; readonly index: number }) {
  const event = model.events[index];
  if (!event) return <span class="event-row faint">no event</span>;
  const mark = marks[model.mark.at(index)]!;
  return (
    <span class="event-row">
      <MarkIcon of={mark} />
      <span class="event-type">
        {event.type}
        <span class="read-out"> {mark}</span>
      </span>
      <Text in="span" class="event-what" of={describeEvent(event).slice(0, 160)} />
    </span>
  );
}

function Difference({ of: { path, before, after, hook } }: { readonly of: ReplayedRun['differences'][number] }) {
  return (
    <section class="difference" aria-label="Difference">
      <h3>
        Different{path === '' ? ' events' : ''}
        {hook !== undefined && (
          <>
            {' '}
            by <Text of={hook} />
          </>
        )}
      </h3>
      <ChangeView of={withoutUndefined({ path: path === '' ? 'type' : path, before, after })} />
    </section>
  );
}
