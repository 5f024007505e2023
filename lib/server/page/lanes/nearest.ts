import type { RunModel } from '../model/run-model.ts';
import type { Bin } from './bins.ts';
import type { Track } from './tracks.ts';
import { type Axis, placeOf, type Window } from './window.ts';

/** A place on the lanes, in pixels, and the lanes' content. */
export interface Pointed {
  readonly x: number;
  readonly y: number;
  readonly window: Window;
  readonly scale: number;
  readonly axis: Axis;
}

const NEAR = 9;

/** Returns the event under the pointer; -1 if there is none. */
export function nearest(
  tracks: readonly Track[],
  bins: readonly Bin[],
  model: RunModel,
  { x, y, window, scale, axis }: Pointed,
): number {
  const at = tracks.findIndex(({ top, height }) => y >= top && y < top + height);
  const [track, bin] = [tracks[at], bins[at]];
  if (!track || !bin) return -1;
  let [best, distance] = [-1, NEAR];
  for (const marble of bin.marbles) {
    const away = Math.abs(marble.x - x);
    if (away < distance) [best, distance] = [marble.index, away];
  }
  if (best >= 0 || bin.density.length === 0) return best;
  const column = model.nodes[track.node]?.byLane[track.lane ?? 0];
  const place = window.from + x / scale;
  for (let index = 0; column && index < column.length; index += 1) {
    const away = Math.abs(placeOf(model, axis, column.at(index)) - place) * scale;
    if (away < distance) [best, distance] = [column.at(index), away];
  }
  return best;
}
