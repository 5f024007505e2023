import type { RunView } from '../../runs/run-view.ts';
import { showClock, showMs } from '../ui/format.ts';
import { now } from '../ui/now.ts';

/** The duration of a run, from its first start to its last end. */
export function tookOf({ state, startedAt, endedAt }: Pick<RunView, 'state' | 'startedAt' | 'endedAt'>): string {
  if (state === 'running') return showClock(now.value - Date.parse(startedAt));
  return endedAt === undefined ? '' : showMs(Date.parse(endedAt) - Date.parse(startedAt));
}
