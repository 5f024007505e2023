import { lanes, type RunModel } from '../model/run-model.ts';

/** A line of the lanes: one lane of a run, or all lanes of a sub-agent. */
export interface Track {
  readonly node: number;
  /** The place in `lanes`; undefined: all of them. */
  readonly lane?: number;
  readonly top: number;
  readonly height: number;
}

const LANE_HEIGHT = 20;
const HEAD_HEIGHT = 26;
export const CHUNK_LANES: ReadonlySet<number> = new Set([
  lanes.indexOf('reasoningChunk'),
  lanes.indexOf('actingChunk'),
]);

/** Returns the lines of a run: nine lanes for the run itself and for each expanded sub-agent, one for each of the others. */
export function tracksOf(model: RunModel, unfolded: ReadonlySet<number>): readonly Track[] {
  const tracks: Track[] = [];
  let top = 0;
  const add = (node: number, height: number, lane?: number): void => {
    tracks.push({ node, top, height, ...(lane !== undefined && { lane }) });
    top += height;
  };
  for (const node of inTree(model)) {
    if (node > 0) add(node, HEAD_HEIGHT);
    if (node === 0 || unfolded.has(node)) for (const lane of lanes.keys()) add(node, LANE_HEIGHT, lane);
  }
  return tracks;
}

/** Returns each run before those that it started. */
function inTree({ nodes }: RunModel): readonly number[] {
  const order: number[] = [];
  const visit = (node: number): void => {
    order.push(node);
    for (const [child, { parent }] of nodes.entries()) if (parent === node && child !== node) visit(child);
  };
  if (nodes.length > 0) visit(0);
  return order;
}

/** Returns their total height. */
export function heightOf(tracks: readonly Track[]): number {
  const last = tracks.at(-1);
  return last ? last.top + last.height : 0;
}
