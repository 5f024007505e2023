import { firstFrom } from '../model/columns.ts';
import { lanes, type RunModel } from '../model/run-model.ts';
import { CHUNK_LANES, type Track } from './tracks.ts';
import { type Axis, placeOf, type Window } from './window.ts';

/** A marble: the most remarkable of the events that fall together in its place. */
export interface Marble {
  readonly x: number;
  readonly index: number;
  readonly mark: number;
  readonly count: number;
}

/** A stretch along a lane: what hooks took, what a step took, or a wait for somebody. */
export interface Bar {
  readonly kind: 'hooks' | 'step' | 'waiting';
  readonly from: number;
  readonly to: number;
}

/** What is drawn of one line: bounded by its pixels, however many events there are. */
export interface Bin {
  readonly marbles: readonly Marble[];
  readonly bars: readonly Bar[];
  /** How many chunks fall into each pixel; empty where there are none. */
  readonly density: Uint16Array;
  /** The same, of those that a hook did something to. */
  readonly touched: Uint16Array;
}

/** Pixels between two marbles, at least. */
const APART = 7;
/** Milliseconds from which a hook's time is drawn as a bar. */
const SHOWN_MS = 0.05;

/** What is looked at: a part of a run that has come so far, and calls in it that wait for an answer before they settle. */
export interface View {
  readonly axis: Axis;
  readonly window: Window;
  readonly end: number;
  readonly waits: readonly { readonly node: number; readonly from: number }[];
}

/** Sorts what is in view of a line into its pixels. */
export function binTrack(model: RunModel, track: Track, view: View, width: number): Bin {
  const { axis, window } = view;
  const scale = width / (window.to - window.from);
  const marbles: { x: number; index: number; mark: number; count: number }[] = [];
  const bars: Bar[] = [];
  const isDense = track.lane !== undefined && CHUNK_LANES.has(track.lane);
  const density = new Uint16Array(isDense ? Math.ceil(width) : 0);
  const touched = new Uint16Array(isDense ? Math.ceil(width) : 0);
  const of = track.lane === undefined ? lanes.keys() : [track.lane];
  for (const lane of of) {
    const column = model.nodes[track.node]?.byLane[lane];
    if (!column) continue;
    const place = (at: number) => placeOf(model, axis, column.at(at));
    const begin = firstFrom(column.length, place, window.from);
    const end = firstFrom(column.length, place, window.to);
    for (let at = begin; at < end; at += 1) {
      const index = column.at(at);
      const x = (place(at) - window.from) * scale;
      const mark = model.mark.at(index);
      if (isDense) {
        const pixel = Math.floor(x);
        const weight = weightOf(model, index);
        density[pixel] = (density[pixel] ?? 0) + weight;
        if (mark > 0) touched[pixel] = (touched[pixel] ?? 0) + weight;
        continue;
      }
      const last = marbles.at(-1);
      if (track.lane !== undefined && last && x - last.x < APART) {
        last.count += 1;
        if (mark > last.mark) [last.mark, last.index] = [mark, index];
      } else marbles.push({ x, index, mark, count: 1 });
      const ms = model.hookMs.at(index);
      if (axis === 'time' && ms * scale > 1 && ms > SHOWN_MS && track.lane !== undefined)
        bars.push({ kind: asked(model, index) ? 'waiting' : 'hooks', from: x - ms * scale, to: x });
    }
  }
  if (track.lane === undefined) return { marbles: merged(marbles), bars: [], density, touched };
  bars.push(...stepsIn(model, track, view, scale));
  return { marbles, bars, density, touched };
}

/** How many chunks stand in one: those that were joined on their way are told by their length. */
function weightOf({ events }: RunModel, index: number): number {
  const event = events[index];
  const text = event?.type === 'reasoningChunk' ? event.delta : event?.type === 'actingChunk' ? event.content : '';
  return 1 + Math.min(text.length >> 5, 50);
}

/** Of lanes that are drawn as one. */
function merged(marbles: { x: number; index: number; mark: number; count: number }[]): readonly Marble[] {
  const kept: typeof marbles = [];
  for (const marble of marbles.sort((a, b) => a.x - b.x)) {
    const last = kept.at(-1);
    if (!last || marble.x - last.x >= APART) kept.push(marble);
    else {
      last.count += marble.count;
      if (marble.mark > last.mark) [last.mark, last.index] = [marble.mark, marble.index];
    }
  }
  return kept;
}

/** Whether an approver took so long that somebody must have been asked. */
function asked(model: RunModel, index: number): boolean {
  return model.stepsOf(index).some(({ stage, ms }) => stage === 'approve' && ms > 300);
}

/** The time of the model in the lane of its chunks, that of tools in theirs, and waits for an answer behind the call. */
function stepsIn(
  model: RunModel,
  { node, lane }: Track,
  { axis, window, end: until, waits }: View,
  scale: number,
): readonly Bar[] {
  const type = lanes[lane ?? 0];
  const own = model.nodes[node];
  const x = (index: number) => (placeOf(model, axis, index) - window.from) * scale;
  const end = (until - window.from) * scale;
  const bars: Bar[] = [];
  const pair = (first: (typeof lanes)[number], then: (typeof lanes)[number], key: (index: number) => string) => {
    const ends = new Map<string, number>();
    const closing = own?.byLane[lanes.indexOf(then)];
    for (let at = 0; closing && at < closing.length; at += 1) ends.set(key(closing.at(at)), closing.at(at));
    const opening = own?.byLane[lanes.indexOf(first)];
    for (let at = 0; opening && at < opening.length; at += 1) {
      const index = opening.at(at);
      const closed = ends.get(key(index));
      const [from, to] = [x(index), closed === undefined ? end : x(closed)];
      if (to >= 0 && from <= (window.to - window.from) * scale) bars.push({ kind: 'step', from, to });
    }
  };
  if (type === 'reasoningChunk')
    pair('preReasoning', 'postReasoning', (index) => String(model.events[index]?.iteration));
  if (type === 'actingChunk') pair('preActing', 'postActing', (index) => callOf(model, index));
  if (type === 'preActing') {
    for (const wait of waits)
      if (wait.node === node) bars.push({ kind: 'waiting', from: (wait.from - window.from) * scale, to: end });
    const column = own?.byLane[lane ?? 0];
    for (let at = 0; column && at < column.length; at += 1)
      if (model.events[column.at(at)]?.decision?.action === 'suspend')
        bars.push({ kind: 'waiting', from: x(column.at(at)), to: (window.to - window.from) * scale });
  }
  return bars;
}

function callOf(model: RunModel, index: number): string {
  const event = model.events[index];
  return event && 'toolCall' in event && event.toolCall ? event.toolCall.id : '';
}
