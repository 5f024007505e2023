import type { RunModel } from '../model/run-model.ts';

/** The axis of the lanes: the time of events, or only their order. */
export type Axis = 'time' | 'order';

/** The visible part of a run, in units of its axis from the first event on: milliseconds, or events. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Returns the place of an event on an axis. */
export function placeOf(model: RunModel, axis: Axis, index: number): number {
  return axis === 'order' ? index : model.times.at(index) - model.times.at(0);
}

/** Returns a function for the place of each event on an axis. */
export function placesAlong({ times }: RunModel, axis: Axis): (index: number) => number {
  if (axis === 'order') return (index) => index;
  const { values } = times;
  const first = values[0] ?? 0;
  return (index) => (values[index] as number) - first;
}

/** Returns the end of a run: its last event or, if the run is active, the given time. */
export function endOf(model: RunModel, axis: Axis, now?: number): number {
  const last = model.events.length === 0 ? 0 : placeOf(model, axis, model.events.length - 1);
  return now === undefined || axis === 'order' || model.events.length === 0
    ? last
    : Math.max(last, now - model.times.at(0));
}

/** Returns the window of the whole run, up to that end. */
export function wholeRun(model: RunModel, axis: Axis, end = endOf(model, axis)): Window {
  const room = Math.max(end, axis === 'order' ? 10 : 1) * 0.02;
  // A pending call remains pending.
  const ahead = model.nodes[0]?.end?.outcome === 'suspended' ? 6 * room : room;
  return { from: -room, to: Math.max(end, axis === 'order' ? 10 : 1) + ahead };
}

/** Zooms by a factor around a fixed place. The window never exceeds the whole run, and never gets too small to distinguish events. */
export function zoomed({ from, to }: Window, factor: number, fixed: number, whole: Window, least: number): Window {
  const span = Math.min(Math.max((to - from) / factor, least), whole.to - whole.from);
  const share = (fixed - from) / (to - from);
  return within({ from: fixed - span * share, to: fixed + span * (1 - share) }, whole);
}

/** Moves a window, up to the ends of the run. */
export function moved({ from, to }: Window, by: number, whole: Window): Window {
  return within({ from: from + by, to: to + by }, whole);
}

function within({ from, to }: Window, whole: Window): Window {
  const span = to - from;
  if (span >= whole.to - whole.from) return whole;
  const begin = Math.min(Math.max(from, whole.from), whole.to - span);
  return { from: begin, to: begin + span };
}

/** Returns round places for the scale: some hundred pixels apart. */
export function ticksOf({ from, to }: Window, width: number): readonly number[] {
  const rough = ((to - from) / Math.max(width, 1)) * 110;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? power * 10;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to && ticks.length < 200; at += step) ticks.push(at);
  return ticks;
}
