import { packageVersion } from '../../hooks/package-version.ts';
import type { EventDifference } from '../../replay/compare-runs.ts';
import type { Replay, RunReplay } from '../../replay/replay.ts';
import { describeEvent } from '../../testing/describe-event.ts';
import { shortJson } from '../terminal/short-json.ts';

/** What a replay shows: where the runs part and the differences, or all events. */
export type ShownReplay = 'diff' | 'events';

/** Maximum differences of a run in the text. */
const MOST = 20;

/** Returns the lines about a replay, up to the event `until`. */
export function replayLines(replay: Replay, show: ShownReplay, until: number): readonly string[] {
  const { runs, lost, cut } = replay;
  return [
    ...hookLines(replay),
    ...runs.flatMap((run) => (show === 'events' ? eventLines(run, until) : differenceLines(run, until))),
    ...(lost > 0 ? [`${lost} events are missing in the recording`] : []),
    ...(cut ? ['the last line of the recording is truncated; it was ignored'] : []),
  ];
}

const changes = {
  options: 'has other options than in the recording',
  kind: 'is of another kind than in the recording',
  added: 'is not in the recording',
  removed: 'is only in the recording',
} as const;

function hookLines({ hooks, recordedBy }: Replay): readonly string[] {
  const version = packageVersion();
  return [
    ...(recordedBy === undefined || recordedBy === version
      ? []
      : [`recorded by version ${recordedBy}; this is version ${version}`]),
    ...hooks.map(({ name, change }) => `hook "${name}" ${changes[change]}`),
  ];
}

function differenceLines(replay: RunReplay, until: number): readonly string[] {
  const { run, recorded, replayed, missing, unknown, exact } = replay;
  const differences = replay.differences.filter(({ seq }) => seq <= until);
  const title = `run ${run.runId} (${run.agent}): ${recorded.length} recorded events, ${replayed.length} replayed`;
  const [first] = differences;
  return [
    title,
    ...(first
      ? [`  parts at ${placeOf(first)}`, ...differences.slice(0, MOST).flatMap(valueLines)]
      : ['  same events']),
    ...(differences.length > MOST ? [`  ${differences.length - MOST} more`] : []),
    ...(missing === undefined ? [] : [`  ends: the recording does not contain ${missing}`]),
    ...(unknown > 0 ? [`  ${unknown} effects of hooks outside could not be repeated`] : []),
    ...(exact || !first
      ? []
      : ['  the recording does not contain all raw input (recorder: raw), which may be the cause']),
  ];
}

function placeOf({ seq, type, toolCallId, hook, path }: EventDifference): string {
  const call = toolCallId === undefined ? '' : ` ${toolCallId}`;
  const by = hook === undefined ? '' : ` by hook "${hook}"`;
  return `event ${seq}, ${type}${call}${by}${path === '' ? '' : `, in ${path}`}`;
}

function valueLines(difference: EventDifference): readonly string[] {
  const { before, after } = difference;
  const value = (one: EventDifference['before']) => shortJson(one as never, 200);
  return [
    `  ${placeOf(difference)}`,
    ...(before === undefined ? [] : [`    - ${value(before)}`]),
    ...(after === undefined ? [] : [`    + ${value(after)}`]),
  ];
}

function eventLines({ run, replayed, differences }: RunReplay, until: number): readonly string[] {
  const marked = new Set(differences.map(({ replayedSeq }) => replayedSeq));
  const lines = replayed
    .filter(({ event }) => (event.seq ?? 0) <= until)
    .map(({ event }) => `${marked.has(event.seq) ? '*' : ' '} ${event.seq} ${describeEvent(event)}`);
  return [`run ${run.runId} (${run.agent})`, ...lines];
}
