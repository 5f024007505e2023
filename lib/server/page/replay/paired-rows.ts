import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { EventDifference } from '../../../replay/compare-runs.ts';
import type { RunModel } from '../model/run-model.ts';

export interface ReplayedRun {
  readonly run: RunInfo;
  readonly recorded: RunModel;
  readonly replayed: RunModel;
  readonly differences: readonly EventDifference[];
  readonly missing?: string;
  readonly unknown: number;
  readonly exact: boolean;
}

/** Two events of the same place, by their places in the models. `parting`: the line below the first difference. */
export type PairedRow =
  | {
      readonly recorded: number;
      readonly replayed: number;
      readonly difference: EventDifference | undefined;
      /** After events of different types, the runs take other steps. */
      readonly isCompared: boolean;
    }
  | 'parting';

/** Pairs the events of a run and its replay in order, as they were compared. -1: there is no event. */
export function pairedRows({
  recorded,
  replayed,
  differences,
}: Pick<ReplayedRun, 'recorded' | 'replayed' | 'differences'>): readonly PairedRow[] {
  const bySeq = new Map(differences.map((one) => [one.before === undefined && one.path === '' ? -1 : one.seq, one]));
  const byReplayed = new Map(
    differences.flatMap((one) => (one.replayedSeq === undefined ? [] : [[one.replayedSeq, one]])),
  );
  const rows: PairedRow[] = [];
  let isCompared = true;
  for (let at = 0; at < Math.max(recorded.events.length, replayed.events.length); at += 1) {
    const [a, b] = [recorded.events[at], replayed.events[at]];
    const difference = (a && bySeq.get(a.seq)) ?? (b && byReplayed.get(b.seq));
    rows.push({ recorded: a ? at : -1, replayed: b ? at : -1, difference, isCompared });
    if (difference?.path === '') isCompared = false;
    if (difference && difference === differences[0]) rows.push('parting');
  }
  return rows;
}
