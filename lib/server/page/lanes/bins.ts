import { type Column, firstFrom } from '../model/columns.ts';
import { lanes, type RunModel, type Span } from '../model/run-model.ts';
import { CHUNK_LANES, type Track } from './tracks.ts';
import { type Axis, placesAlong, type Window } from './window.ts';

/** A marble: the most important of the events that share its place. */
export interface Marble {
  readonly x: number;
  index: number;
  mark: number;
  count: number;
}

/** A section of a lane: the time of hooks or of a step, or a wait for approval. */
export interface Bar {
  readonly kind: 'hooks' | 'step' | 'waiting';
  readonly from: number;
  readonly to: number;
}

/** The drawn content of one line: limited by its pixels, not by the number of events. */
export interface Bin {
  readonly marbles: readonly Marble[];
  readonly bars: readonly Bar[];
  /** The amount of a stream in each pixel; empty in lanes without chunks. */
  readonly density: Uint16Array;
  /** The same for the chunks that hooks affected. */
  readonly touched: Uint16Array;
}

/** The visible part of a run so far, and calls in it that are pending before they settle. */
export interface View {
  readonly axis: Axis;
  readonly window: Window;
  readonly end: number;
  readonly waits: readonly { readonly node: number; readonly from: number }[];
}

/** The minimum number of pixels between two marbles. */
const APART = 7;
/** An approver that takes more milliseconds must have asked a person. */
const ASKED_MS = 300;

/** Assigns the visible part of a line to its pixels. */
export function binTrack(model: RunModel, track: Track, view: View, width: number): Bin {
  const { window } = view;
  const scale = width / (window.to - window.from);
  const node = model.nodes[track.node];
  const place = placesAlong(model, view.axis);
  /** Calls `act` for every visible event of a lane. */
  const each = (column: Column, act: (index: number, x: number) => void): void => {
    const at = (position: number) => place(column.at(position));
    const to = firstFrom(column.length, at, window.to);
    for (let position = firstFrom(column.length, at, window.from); position < to; position += 1) {
      const index = column.at(position);
      act(index, (place(index) - window.from) * scale);
    }
  };
  const columns = track.lane === undefined ? (node?.byLane ?? []) : [node!.byLane[track.lane] as Column];
  const isDense = track.lane !== undefined && CHUNK_LANES.has(track.lane);
  const pixels = isDense ? Math.ceil(width) : 0;
  const [density, touched] = [new Uint16Array(pixels), new Uint16Array(pixels)];
  const { values: marks } = model.mark;
  const { values: weights } = model.weight;
  const found: Marble[] = [];
  const bars: Bar[] = [];
  for (const column of columns)
    each(column, (index, x) => {
      const mark = marks[index] as number;
      if (isDense) {
        const [pixel, weight] = [Math.floor(x), weights[index] as number];
        density[pixel] = (density[pixel] as number) + weight;
        if (mark > 0) touched[pixel] = (touched[pixel] as number) + weight;
        return;
      }
      if (columns.length > 1) found.push({ x, index, mark, count: 1 });
      else join(found, x, index, mark);
      const long = model.hookMs.at(index) * scale;
      if (view.axis === 'time' && long > 1 && track.lane !== undefined)
        bars.push({ kind: asked(model, index) ? 'waiting' : 'hooks', from: x - long, to: x });
    });
  const marbles = columns.length > 1 ? merged(found) : found;
  if (track.lane !== undefined) bars.push(...barsOf(model, track, view, (at) => (at - window.from) * scale));
  return { marbles, bars: bars.filter(({ from, to }) => to >= 0 && from <= width), density, touched };
}

/** Adds an event to the last marble if there is no room for another one. */
function join(marbles: Marble[], x: number, index: number, mark: number): void {
  const last = marbles.at(-1);
  if (!last || x - last.x >= APART) {
    marbles.push({ x, index, mark, count: 1 });
    return;
  }
  last.count += 1;
  if (mark > last.mark) [last.mark, last.index] = [mark, index];
}

/** Marbles of lanes that are drawn as one. */
function merged(marbles: Marble[]): readonly Marble[] {
  const kept: Marble[] = [];
  for (const { x, index, mark } of marbles.sort((a, b) => a.x - b.x)) join(kept, x, index, mark);
  return kept;
}

function asked(model: RunModel, index: number): boolean {
  return model.stepsOf(index).some(({ stage, ms }) => stage === 'approve' && ms > ASKED_MS);
}

/** Returns the time of the model in the lane of its chunks, that of tools in theirs, and waits for an answer after the call. */
function barsOf(
  model: RunModel,
  track: Track,
  { axis, window, end, waits }: View,
  x: (place: number) => number,
): Bar[] {
  const node = model.nodes[track.node];
  const place = placesAlong(model, axis);
  const step = ({ from, to }: Span): Bar => ({ kind: 'step', from: x(place(from)), to: x(to < 0 ? end : place(to)) });
  const wait = (from: number, to: number): Bar => ({ kind: 'waiting', from: x(from), to: x(to) });
  const type = lanes[track.lane as number];
  if (type === 'reasoningChunk') return touching(node?.reasoning.map(step));
  if (type === 'actingChunk') return touching(node?.acting.map(step));
  if (type !== 'preActing') return [];
  return [
    ...waits.flatMap(({ node: of, from }) => (of === track.node ? [wait(from, end)] : [])),
    ...(node?.suspended.map((index) => wait(place(index), window.to)) ?? []),
  ];
}

/** The distance, in pixels, at which two bars look like one. */
const NEAR = 3;

/** Joins bars that are this close. */
function touching(bars: readonly Bar[] = []): Bar[] {
  const joined: Bar[] = [];
  for (const bar of bars) {
    const last = joined.at(-1);
    if (last && bar.from - last.to < NEAR) joined[joined.length - 1] = { ...last, to: Math.max(last.to, bar.to) };
    else joined.push(bar);
  }
  return joined;
}
