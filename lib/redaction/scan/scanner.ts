import type { Engine, Unit } from '../compile/engine.ts';
import { Kind } from '../pattern/alphabet.ts';
import type { State } from '../pattern/automaton.ts';
import { endsEscape, LONGEST_ESCAPE } from './boundaries.ts';
import { beganBefore, type Candidate, forkOf, RUN_UP } from './candidate.ts';
import { createCandidates } from './candidates.ts';
import { type History, unitAt } from './history.ts';
import { dies } from './lookahead.ts';
import type { Regions } from './regions.ts';

/**
 * Walks one stream of text, character by character, and finds the regions to replace. All that it decides depends on the characters so far
 * and on nothing else, so that it does not matter in what pieces they come. Places are absolute.
 */
export interface Scanner {
  /** What may be looked back at: `text`, of which the first character has the place `base`. It reaches to the end of what has come. */
  remember(text: string, base: number): void;
  /**
   * Reads `chunk`, of which the first character has the place `from`, up to the place `to`, and gives the place that it has come to: if more
   * may follow, that may be up to `RUN_UP` characters less.
   */
  scan(chunk: string, from: number, to: number, final: boolean): number;
  /**
   * Passes over `more`, which stands behind `unread`, if there is nothing to look at in either and nothing is being followed. What follows
   * has to be read from the last character of `more` on.
   */
  glide(unread: string, more: string): boolean;
  /** Goes past a marker that ends at `to`: nothing can match across it. */
  skip(to: number): void;
  /** The text ends, or a marker follows. */
  end(after: number): void;
  /** Before this place all secrets are known. */
  frontier(): number;
  /** The text from this place on is still needed. */
  needed(): number;
  /** Whether a match may be under way that began before a place. */
  follows(before: number): boolean;
  /**
   * A scanner of another text that has been the same so far. It swallows nothing: what is too long for its rule is found as far as that. The keywords
   * that it has found are added to `known`, with those of this one.
   */
  fork(regions: Regions, known: Uint8Array): Scanner;
}

/** Where a scanner is in its text. */
interface Standing {
  readonly pos: number;
  readonly node: number;
  readonly kind: number;
  readonly floor: number;
  readonly floorKind: number;
  readonly seen: Uint8Array;
  readonly live: Candidate[];
}

const BLOCK = 2048;
const UNDERSCORE = 95;
/** Landmarks that lead to candidates are at most 12 long, and an escape may stand before. */
const HISTORY = 12 + LONGEST_ESCAPE;
const START = { pos: 0, node: 0, kind: Kind.edge as number, floor: 0, floorKind: Kind.edge as number };
/** How far back a fork follows what has begun. */
const MOST_FORKED = 2048;

/** A scanner at the beginning of a stream, or where another one is; what it finds it puts into the lists. */
export function createScanner(engine: Engine, regions: Regions, forked?: Standing): Scanner {
  const { landmarks } = engine;
  const { classOf, kinds } = engine.alphabet;
  const { columns, goto, findsFrom } = landmarks;
  const { rising: unitsOf, lives, unknown } = engine.beginnings;
  const { isDull, rowEnd } = engine.dull;
  const seen = forked?.seen ?? new Uint8Array(engine.keywordCount);
  const history: History = { text: '', base: 0, chunk: '', from: 0 };
  const candidates = createCandidates(engine, history, regions, seen, forked?.live);
  /** The end of what is being read, and whether nothing may follow that could be seen beforehand. */
  let limit = 0;
  let final = false;
  let { pos, node, kind } = forked ?? START;
  /** It waits for more text before it reads on; what stands before `shown` goes out nevertheless. */
  let waits = false;
  let shown = 0;
  /** Where the text begins that candidates may begin in, and what stands before: the edge, or a marker. */
  let { floor, floorKind } = forked ?? START;

  /** The open units that begin with a character, and what it brings them to. */
  const risingUnits: Unit[] = [];
  const risen: State[] = [];
  let rising = 0;

  const classAt = (place: number): number => classOf[unitAt(history, place)]!;

  /** The kind of what stands before `place`. The end of an escape is no part of a word, nor is what joins words. */
  const kindBefore = (place: number): number => {
    if (place === floor) return floorKind;
    const unit = unitAt(history, place - 1);
    const before = kinds[classOf[unit]!]!;
    return before === Kind.word && (unit === UNDERSCORE || endsEscape(history, place, floor)) ? Kind.other : before;
  };

  /** What stands before the next character, where that is not what the character at hand is. */
  let kindAfter = -1;

  /** The character at `at` completes landmarks. */
  const land = (at: number): void => {
    for (const { found, length } of landmarks.found(node)) {
      if (found === 'boundary') {
        kindAfter = kindBefore(at + 1);
        continue;
      }
      if ('keyword' in found) {
        seen[found.keyword] = 1;
        continue;
      }
      const { unit } = found;
      const { automaton, swallow } = unit;
      const start = at - length + 1;
      const before = kindBefore(start);
      let state = automaton.start(before);
      let heldFrom = -1;
      for (let place = start; place <= at && state.alive !== 0; place++) {
        state = automaton.step(state, classAt(place));
        if (!state.held) heldFrom = state.matched === 0 ? -1 : heldFrom;
        else if (heldFrom < 0) heldFrom = place;
      }
      if (state.alive === 0) continue;
      const doomed = !swallow && dies(automaton, state, classOf, history, at + 1, Math.min(limit, start + RUN_UP));
      if (!doomed) candidates.begin(unit, { start, before }, at, state, heldFrom);
    }
  };

  /** Open units begin with the character at `at`: those that may, as `idles` has found. */
  const open = (at: number): void => {
    for (let k = 0; k < rising; k++) {
      const state = risen[k]!;
      candidates.begin(risingUnits[k]!, { start: at, before: kind }, at, state, state.held ? at : -1);
    }
  };

  /** Whether nothing that begins with the character at `at` needs to be followed; `undefined` if more text would tell. */
  const idles = (at: number, unitClass: number, next: number, before: number): boolean | undefined => {
    rising = 0;
    shown = at + 1;
    let sure = false;
    for (const unit of unitsOf(kind, unitClass)) {
      const { automaton, swallow } = unit;
      const state = automaton.step(automaton.start(kind), unitClass);
      const doomed = swallow ? false : dies(automaton, state, classOf, history, at + 1, Math.min(limit, at + RUN_UP));
      if (doomed) continue;
      risingUnits[rising] = unit;
      risen[rising++] = state;
      // Context goes out at once; where others may want the character too, that is left to them.
      if (doomed === false || final || limit >= at + RUN_UP) sure = true;
      else if (state.held) shown = at;
      else if (candidates.count() > 0 || next >= findsFrom) sure = true;
    }
    if (sure || rising === 0) return !sure;
    shown = Math.min(shown, next >= findsFrom ? at - landmarks.held(before) : at + 1 - landmarks.held(next));
    return undefined;
  };

  /** Reads up to `to`; gives `false` if it has to wait. */
  const run = (to: number): boolean => {
    waits = false;
    const piece = history.chunk;
    const origin = history.from;
    let state = node;
    for (let at = pos; at < to; at++) {
      let unit = piece.charCodeAt(at - origin);
      if (state === 0 && kind === Kind.other && candidates.count() === 0 && isDull(unit)) {
        // All but the last of a row are followed by one with which nothing begins.
        at = origin + rowEnd(piece, at - origin, to - origin) - 1;
        unit = piece.charCodeAt(at - origin);
      }
      const unitClass = classOf[unit]!;
      let opens = lives(kind, unitClass, at + 1 < limit ? classOf[piece.charCodeAt(at + 1 - origin)]! : unknown);
      if (opens) {
        const idle = idles(at, unitClass, goto[state + columns[unit]!]!, state);
        if (idle === undefined) {
          node = state;
          pos = at;
          waits = true;
          return false;
        }
        opens = !idle;
      }
      state = goto[state + columns[unit]!]!;
      if (candidates.count() > 0 || opens || state >= findsFrom) {
        if (candidates.count() > 0) candidates.follow(at, unitClass);
        else candidates.tick();
        if (opens) open(at);
        if (state >= findsFrom) {
          node = state;
          land(at);
        }
      }
      kind = kindAfter >= 0 ? kindAfter : unit === UNDERSCORE ? Kind.other : kinds[unitClass]!;
      kindAfter = -1;
    }
    node = state;
    pos = to;
    return true;
  };

  return {
    remember(text, base) {
      history.text = text;
      history.base = base;
      history.chunk = '';
      history.from = Infinity;
    },
    scan(chunk, from, to, last) {
      history.chunk = chunk;
      history.from = from;
      limit = to;
      final = last;
      while (pos < to) {
        const stop = Math.min(to, pos + BLOCK);
        engine.count(stop - pos);
        if (!run(stop)) break;
      }
      return pos;
    },
    glide(unread, more) {
      if (node !== 0 || kind !== Kind.other || candidates.count() > 0) return false;
      const last = unread.charCodeAt(unread.length - 1);
      if (rowEnd(unread, 0, unread.length) < unread.length || rowEnd(more, 0, more.length, last) < more.length)
        return false;
      pos += unread.length + more.length - 1;
      return true;
    },
    skip(to) {
      candidates.end(pos, Kind.marker);
      node = 0;
      pos = floor = to;
      kind = floorKind = Kind.marker;
    },
    end(after) {
      candidates.end(pos, after);
      node = 0;
    },
    frontier: () => candidates.heldFrom(waits ? shown : pos - landmarks.held(node)),
    needed: () => candidates.neededFrom(pos - HISTORY) - engine.lookBack,
    follows: (before) => candidates.live().some((candidate) => beganBefore(candidate, before)),
    fork(lists, known) {
      for (const [keyword, found] of seen.entries()) if (found) known[keyword] = 1;
      const live = candidates.live().flatMap((candidate) => forkOf(candidate, pos - MOST_FORKED));
      return createScanner(engine, lists, { pos, node, kind, floor, floorKind, seen: known, live });
    },
  };
}
