import { type Confidence, confidences } from '../confidence.ts';
import { cutsPair } from './surrogates.ts';

/** A part of the text that is replaced. Places are absolute. */
export interface Region {
  start: number;
  end: number;
  /** The place of its rule among all; the first names it. */
  order: number;
  /** That of what it begins with, which names it once its marker does not wait for its end. */
  head: number;
  /** How sure it is, as a level: 0 is the surest. */
  level: number;
  /** How many candidates let it grow; while there are any, it is the last, and all that comes belongs to it. */
  growing: number;
  /** Its marker does not wait for its end any more, and its name stays. */
  fixed: boolean;
  /** Its marker has been given out. */
  marked: boolean;
}

/** The regions of a stream, by what becomes of them. */
export interface Regions {
  /** Those that are replaced. */
  readonly hidden: Region[];
  /** Those that stay in the text and are only told of. */
  readonly aside: Region[];
  /** Told of each value that stays. */
  readonly onLeft: ((value: string, order: number, level: number) => void) | undefined;
  /** The list for findings of a level. */
  of(level: number): Region[];
}

/** Empty lists; findings of the confidences to `leave` stay in the text. */
export function createRegions(leave: readonly Confidence[] = [], onLeft?: Regions['onLeft']): Regions {
  const hidden: Region[] = [];
  const aside: Region[] = [];
  const lists = confidences.map((confidence) => (leave.includes(confidence) ? aside : hidden));
  return { hidden, aside, onLeft, of: (level) => lists[level] ?? hidden };
}

/** Empty lists for findings of the same levels. */
export function regionsLike(lists: Regions): Regions {
  const hidden: Region[] = [];
  const aside: Region[] = [];
  return { hidden, aside, onLeft: undefined, of: (level) => (lists.of(level) === lists.aside ? aside : hidden) };
}

/** A region for a secret, widened so that it cuts no pair of surrogates in two. */
export function newRegion(text: string, base: number, from: number, to: number, order: number, level: number): Region {
  const start = cutsPair(text, from - base) ? from - 1 : from;
  const end = cutsPair(text, to - base) ? to + 1 : to;
  return { start, end, order, head: order, level, growing: 0, fixed: false, marked: false };
}

/** Beyond this length a region is not waited for. */
const MOST_PENDING = 16_384;

/** Takes a secret into the regions (in the order of the text), and unites it with those that it overlaps. Gives the one that it is in. */
export function addRegion(regions: Region[], fresh: Region): Region {
  // From the end: what is found is found near it. One that grows is the last, because it takes in all that follows.
  let after = regions.length;
  while (after > 0 && regions[after - 1]!.start >= fresh.end) after--;
  let first = after;
  while (first > 0 && (regions[first - 1]!.growing > 0 || regions[first - 1]!.end > fresh.start)) first--;
  const united = regions.slice(first, after).reduce((whole, other) => unite(other, whole), fresh);
  regions.splice(first, after - first, united);
  return united;
}

/**
 * The level of the region that a secret of a rule is in, and which keeps its name; `undefined` if there is none. Put into the regions, a secret of
 * that level or a less sure one changes nothing.
 */
export function coverOf(regions: readonly Region[], from: number, to: number, order: number): number | undefined {
  for (let k = regions.length - 1; k >= 0; k--) {
    const region = regions[k]!;
    if (region.end < to) return undefined;
    if (region.start <= from) return region.order <= order ? region.level : undefined;
  }
  return undefined;
}

/**
 * Has a region that reaches to the present grow, and take in whatever else has been found behind its beginning. Gives the one that it is in: if
 * another one grows already, that one.
 */
export function letGrow(regions: Region[], region: Region): Region {
  region.growing++;
  region.fixed = true;
  const first = regions.lastIndexOf(region);
  const united = regions.slice(first).reduce((whole, other) => unite(other, whole));
  regions.splice(first, regions.length, united);
  return united;
}

/** The place of the rule that names a region. */
export function nameOf({ fixed, head, order }: Region): number {
  return fixed ? head : order;
}

/** Whether the first of two that begin alike names both: the marker of one that is fixed may have been given out. */
const leads = (one: Region, other: Region): boolean =>
  one.fixed === other.fixed ? !one.fixed && one.head < other.head : one.fixed;

/** Into the one that was there, so that who lets it grow keeps hold of it. */
function unite(into: Region, other: Region): Region {
  const first = other.start < into.start || (other.start === into.start && leads(other, into)) ? other : into;
  // What is named after what it begins with keeps its name, in whatever order its parts are found: nothing of it has been given out before.
  into.head = first.head;
  into.order = Math.min(into.order, other.order);
  into.level = Math.min(into.level, other.level);
  into.marked = first.marked;
  into.start = first.start;
  into.end = Math.max(into.end, other.end);
  into.growing += other.growing;
  into.fixed ||= other.fixed || into.end - into.start > MOST_PENDING;
  return into;
}
