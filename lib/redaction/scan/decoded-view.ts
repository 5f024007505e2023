import { type Escape, narrowed } from '../escapes/escape-at.ts';
import { RUN_UP } from './candidate.ts';
import type { History } from './history.ts';
import { createPlaceMap } from './place-map.ts';
import { addRegion, newRegion, type Region, type Regions, regionsLike } from './regions.ts';
import type { Scanner } from './scanner.ts';

/** A text with its escapes decoded, scanned beside the text itself from an escape on. Places are those of the text. */
export interface DecodedView {
  /** Takes text without an escape. */
  plain(more: string): void;
  /** Takes an escape, which begins at `from`. */
  escaped(what: Escape, from: number): void;
  /** Scans what has come; with `after`, the kind of what follows, to its end. */
  read(after?: number): void;
  /** Hands over what has been found before a place to which the text itself has been scanned; `false` if that is not all. */
  settle(to: number): boolean;
  /** Whether it goes on. It ends where no match is under way any more in which an escape may have a part. */
  lives(): boolean;
  /** Before this place all secrets of the view are known and handed over. */
  frontier(): number;
  /** The text from this place on is still needed. */
  needed(): number;
}

/** A match may begin so far behind an escape that the escape had a part in it: the longest literal that leads to one, and some. */
const REACH = 16;
/** Behind that it is looked at after so many characters each whether it goes on: at places that depend on the text alone. */
const STEP = 32;
const ROOMY = 8192;

/** A view of a text up to `at`, where its scanner is; `history` reaches as far. What it finds it puts into `lists`, and keywords into `known`. */
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
  /** The decoded text that may be needed again, and the place of its first character there. */
  let base = Math.max(history.base, scanner.needed());
  let text = history.text.slice(base - history.base, at - history.base);
  /** Where the decoded text ends, and how far it has been scanned. */
  let end = at;
  let read = at;
  /** Matches that begin from here on are the text's own; where it is looked at next whether there are others. */
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
