import { type Escape, narrowed } from '../escapes/escape-at.ts';
import { RUN_UP } from './candidate.ts';
import type { History } from './history.ts';
import { createPlaceMap } from './place-map.ts';
import { addRegion, newRegion, type Region, type Regions, regionsLike } from './regions.ts';
import type { Scanner } from './scanner.ts';

/** A text with its escapes decoded, scanned in parallel with the text from an escape on. Places are those of the original text. */
export interface DecodedView {
  /** Adds text without an escape. */
  plain(more: string): void;
  /** Adds an escape that begins at `from`. */
  escaped(what: Escape, from: number): void;
  /** Scans the added text; with `after`, the kind of the next character, to its end. */
  read(after?: number): void;
  /** Passes on the findings before a place to which the text itself is scanned; `false` if there are more. */
  settle(to: number): boolean;
  /** Returns whether it continues. It ends when no possible match contains part of an escape. */
  lives(): boolean;
  /** Returns the place before which all secrets of the view are known and passed on. */
  frontier(): number;
  /** Returns the first place of the text that is still needed. */
  needed(): number;
}

/** The maximum distance after an escape at which a match that includes it may begin: the longest literal that leads to one, plus a margin. */
const REACH = 16;
/** After that distance, the view checks at this interval whether it continues, at places that depend only on the text. */
const STEP = 32;
const ROOMY = 8192;

/** Creates a view of a text up to `at`, the place of its scanner; `history` extends as far. Findings go to `lists`, keywords to `known`. */
export function decodedView(
  parent: Scanner,
  history: History,
  at: number,
  lists: Regions,
  known: Uint8Array,
): DecodedView {
  const found = regionsLike(lists);
  const scanner = parent.fork(found, known);
  const map = createPlaceMap();
  /** The decoded text that may be needed again, and the place of its first character in it. */
  let base = Math.max(history.base, scanner.needed());
  let text = history.text.slice(base - history.base, at - history.base);
  /** The end of the decoded text, and the place to which it is scanned. */
  let end = at;
  let read = at;
  /** Matches that begin from here on are of the original text; the place of the next check for others. */
  let reach = at;
  let due = at;
  let ended = false;

  const scanTo = (to: number, final: boolean): void => {
    scanner.remember(text, base);
    read = scanner.scan(text.slice(read - base, to - base), read, to, final);
  };

  const scan = (final: boolean): void => {
    while (!ended && due <= end) {
      scanTo(due, true);
      ended = !scanner.follows(reach);
      due += STEP;
    }
    if (ended) return;
    if (read < end) scanTo(end, final);
    if (text.length < ROOMY) return;
    const keep = Math.max(base, Math.min(scanner.needed(), read));
    text = text.slice(keep - base);
    base = keep;
    map.forget(keep);
  };

  const hand = (from: Region[], into: Region[], to: number): void => {
    for (let region = from[0]; region && map.endOf(region.end - 1) <= to; region = from[0]) {
      const [start, stop] = [map.startOf(region.start), map.endOf(region.end - 1)];
      const { order, head, level } = region;
      addRegion(into, { ...newRegion(history.text, history.base, start, stop, order, level), head });
      from.shift();
    }
  };

  return {
    plain(more) {
      text += narrowed(more);
      end += more.length;
    },
    escaped({ length, text: shown }, from) {
      map.add({ at: end, length: shown.length, from, to: from + length });
      text += shown;
      end += shown.length;
      reach = end + REACH;
      due = reach + RUN_UP;
    },
    read(after) {
      scan(after !== undefined);
      if (after === undefined || ended) return;
      scanner.remember(text, base);
      scanner.end(after);
    },
    settle(to) {
      hand(found.hidden, lists.hidden, to);
      hand(found.aside, lists.aside, to);
      return found.hidden.length === 0 && found.aside.length === 0;
    },
    lives() {
      if (due <= end) scan(false);
      return !ended;
    },
    frontier() {
      const first = Math.min(found.hidden[0]?.start ?? Infinity, found.aside[0]?.start ?? Infinity);
      return map.startOf(Math.min(ended ? Infinity : scanner.frontier(), first));
    },
    needed: () => map.startOf(base),
  };
}
