import { type Confidence, confidences } from '../confidence.ts';
import { cutsPair } from './surrogates.ts';

/** A part of the text that is replaced. Places are absolute. */
export interface Region {
  start: number;
  end: number;
  /** The place of its rule among all; the first names it. */
  order: number;
  /** The place of the rule of its beginning, which names it if its marker no longer waits for its end. */
  head: number;
  /** Its confidence, as a level: 0 is the highest. */
  level: number;
  /** The number of candidates that let it grow. While there are any, it is the last region and all new text belongs to it. */
  growing: number;
  /** Whether its marker no longer waits for its end, and its name is final. */
  fixed: boolean;
  /** Whether its marker was released. */
  marked: boolean;
}

/** The regions of a stream, replaced or only reported. */
export interface Regions {
  /** Regions that are replaced. */
  readonly hidden: Region[];
  /** Regions that stay in the text and are only reported. */
  readonly aside: Region[];
  /** Receives each value that stays. */
  readonly onLeft: ((value: string, order: number, level: number) => void) | undefined;
  /** Returns the list for findings of a level. */
  of(level: number): Region[];
}

/** Creates empty lists; findings of the confidences in `leave` stay in the text. */
export function createRegions(leave: readonly Confidence[] = [], onLeft?: Regions['onLeft']): Regions {
  const hidden: Region[] = [];
  const aside: Region[] = [];
  const lists = confidences.map((confidence) => (leave.includes(confidence) ? aside : hidden));
  return { hidden, aside, onLeft, of: (level) => lists[level] ?? hidden };
}

/** Creates empty lists for findings of the same levels. */
export function regionsLike(lists: Regions): Regions {
  const hidden: Region[] = [];
  const aside: Region[] = [];
  return { hidden, aside, onLeft: undefined, of: (level) => (lists.of(level) === lists.aside ? aside : hidden) };
}

/** Creates a region for a secret, widened so that it does not split a surrogate pair. */
export function newRegion(text: string, base: number, from: number, to: number, order: number, level: number): Region {
  const start = cutsPair(text, from - base) ? from - 1 : from;
  const end = cutsPair(text, to - base) ? to + 1 : to;
  return { start, end, order, head: order, level, growing: 0, fixed: false, marked: false };
}

/** The maximum length of a region that is waited for. */
const MOST_PENDING = 16_384;

/** Adds a secret to the regions (in text order), and unites it with overlapping ones. Returns its region. */
export function addRegion(regions: Region[], fresh: Region): Region {
  // From the end, because secrets are found near it. A growing region is the last, because it includes all following text.
  let after = regions.length;
  while (after > 0 && regions[after - 1]!.start >= fresh.end) after--;
  let first = after;
  while (first > 0 && (regions[first - 1]!.growing > 0 || regions[first - 1]!.end > fresh.start)) first--;
  const united = regions.slice(first, after).reduce((whole, other) => unite(other, whole), fresh);
  regions.splice(first, after - first, united);
  return united;
}

/**
 * Returns the level of the region that contains a secret of a rule and keeps its name; `undefined` if there is none. Adding a secret of that level or a less
 * sure one to the regions changes nothing.
 */
export function coverOf(regions: readonly Region[], from: number, to: number, order: number): number | undefined {
  for (let k = regions.length - 1; k >= 0; k--) {
    const region = regions[k]!;
    if (region.end < to) return undefined;
    // A secret with the same beginning may name a fixed region.
    if (region.start <= from)
      return (region.start < from ? region.order : region.head) <= order ? region.level : undefined;
  }
  return undefined;
}

/** Lets a region at the current place grow, and include all findings after its beginning. Returns its region: if another one already grows, that one. */
export function letGrow(regions: Region[], region: Region): Region {
  region.growing++;
  region.fixed = true;
  const first = regions.lastIndexOf(region);
  const united = regions.slice(first).reduce((whole, other) => unite(other, whole));
  regions.splice(first, regions.length, united);
  return united;
}

/** Returns the place of the rule that names a region. */
export function nameOf({ fixed, head, order }: Region): number {
  return fixed ? head : order;
}

/** Returns whether the first of two regions with the same beginning names both. The lower head does, whichever was found first; a released marker keeps its name. */
const leads = (one: Region, other: Region): boolean => one.marked || (!other.marked && one.head < other.head);

/** Unites into the existing region, so that the candidates that let it grow keep their reference. */
function unite(into: Region, other: Region): Region {
  const first = other.start < into.start || (other.start === into.start && leads(other, into)) ? other : into;
  // A region that is named after its beginning keeps its name, in any order of its parts: nothing of it was released before.
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
