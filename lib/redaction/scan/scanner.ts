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
 * Reads one stream of text, character by character, and finds the regions to replace. Its decisions depend only on the characters so far, not on the chunks.
 * Places are absolute.
 */
export interface Scanner {
  /** Sets the earlier text that may be read: `text`, whose first character has the place `base`. It extends to the end of the received text. */
  remember(text: string, base: number): void;
  /**
   * Reads `chunk`, whose first character has the place `from`, up to the place `to`, and returns the place reached. If more may follow, that may be up to
   * `RUN_UP` characters less.
   */
  scan(chunk: string, from: number, to: number, final: boolean): number;
  /**
   * Skips `more`, which follows `unread`, if neither needs scanning and no candidate is followed. The next text must be read from the last character of `more`
   * on.
   */
  glide(unread: string, more: string): boolean;
  /** Skips a marker that ends at `to`: no match extends across it. */
  skip(to: number): void;
  /** Ends matching, at the end of the text or before a marker. */
  end(after: number): void;
  /** Returns the place before which all secrets are known. */
  frontier(): number;
  /** Returns the first place of the text that is still needed. */
  needed(): number;
  /** Returns whether a possible match began before a place. */
  follows(before: number): boolean;
  /**
   * Creates a scanner of another text that is equal so far. It swallows nothing: a secret that is too long for its rule is found up to the maximum. Its found
   * keywords are added to `known`, with those of this one.
   */
  fork(regions: Regions, known: Uint8Array): Scanner;
}

/** The position of a scanner in its text. */
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
/** Landmarks that lead to candidates have at most 12 characters, and an escape may precede them. */
const HISTORY = 12 + LONGEST_ESCAPE;
const START = { pos: 0, node: 0, kind: Kind.edge as number, floor: 0, floorKind: Kind.edge as number };
/** The maximum distance of earlier beginnings that a fork follows. */
const MOST_FORKED = 2048;

/** Creates a scanner at the beginning of a stream or at the place of another scanner; its findings go to the lists. */
export function createScanner(engine: Engine, regions: Regions, forked?: Standing): Scanner {
  const { landmarks } = engine;
  const { classOf, kinds } = engine.alphabet;
  const { columns, next, findsFrom } = landmarks;
  const { rising: unitsOf, lives, unknown } = engine.beginnings;
  const { isDull, rowEnd } = engine.dull;
  const seen = forked?.seen ?? new Uint8Array(engine.keywordCount);
  const history: History = { text: '', base: 0, chunk: '', from: 0 };
  const candidates = createCandidates(engine, history, regions, seen, forked?.live);
  /** The end of the text being read, and whether it is final, so that no later text can be used. */
  let limit = 0;
  let final = false;
  let { pos, node, kind } = forked ?? START;
  /** Whether it waits for more text; the text before `shown` is released anyway. */
  let waits = false;
  let shown = 0;
  /** The beginning of the text in which candidates may begin, and the kind before it: the edge, or a marker. */
  let { floor, floorKind } = forked ?? START;

  /** The open units that begin with a character, and their next states. */
  const risingUnits: Unit[] = [];
  const risen: State[] = [];
  let rising = 0;

  const classAt = (place: number): number => classOf[unitAt(history, place)]!;

  /** Returns the kind of the character before `place`. The end of an escape is not part of a word; neither is a joining character. */
  const kindBefore = (place: number): number => {
    if (place === floor) return floorKind;
    const unit = unitAt(history, place - 1);
    const before = kinds[classOf[unit]!]!;
    return before === Kind.word && (unit === UNDERSCORE || endsEscape(history, place, floor)) ? Kind.other : before;
  };

  /** The kind before the next character, if it differs from that of the current one. */
  let kindAfter = -1;

  /** Handles the landmarks that the character at `at` completes. */
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
      const isDead = !swallow && dies(automaton, state, classOf, history, at + 1, Math.min(limit, start + RUN_UP));
      if (!isDead) candidates.begin(unit, { start, before }, at, state, heldFrom);
    }
  };

  /** Begins open units with the character at `at`: those that `idles` has found. */
  const open = (at: number): void => {
    for (let k = 0; k < rising; k++) {
      const state = risen[k]!;
      candidates.begin(risingUnits[k]!, { start: at, before: kind }, at, state, state.held ? at : -1);
    }
  };

  /** Returns whether no match that begins with the character at `at` needs to be followed; `undefined` if that depends on more text. */
  const idles = (at: number, unitClass: number, following: number, before: number): boolean | undefined => {
    rising = 0;
    shown = at + 1;
    let sure = false;
    for (const unit of unitsOf(kind, unitClass)) {
      const { automaton, swallow } = unit;
      const state = automaton.step(automaton.start(kind), unitClass);
      const isDead = swallow ? false : dies(automaton, state, classOf, history, at + 1, Math.min(limit, at + RUN_UP));
      if (isDead) continue;
      risingUnits[rising] = unit;
      risen[rising++] = state;
      // Context is released at once; if other candidates may need the character too, they decide.
      if (isDead === false || final || limit >= at + RUN_UP) sure = true;
      else if (state.held) shown = at;
      else if (candidates.count() > 0 || following >= findsFrom) sure = true;
    }
    if (sure || rising === 0) return !sure;
    shown = Math.min(shown, following >= findsFrom ? at - landmarks.held(before) : at + 1 - landmarks.held(following));
    return undefined;
  };

  /** Reads up to `to`; returns `false` if it must wait. */
  const run = (to: number): boolean => {
    waits = false;
    const piece = history.chunk;
    const origin = history.from;
    let state = node;
    for (let at = pos; at < to; at++) {
      let unit = piece.charCodeAt(at - origin);
      if (state === 0 && kind === Kind.other && candidates.count() === 0 && isDull(unit)) {
        // Each of a row except the last is followed by a character with which nothing begins.
        at = origin + rowEnd(piece, at - origin, to - origin) - 1;
        unit = piece.charCodeAt(at - origin);
      }
      const unitClass = classOf[unit]!;
      let opens = lives(kind, unitClass, at + 1 < limit ? classOf[piece.charCodeAt(at + 1 - origin)]! : unknown);
      if (opens) {
        const idle = idles(at, unitClass, next(state, columns[unit]!), state);
        if (idle === undefined) {
          node = state;
          pos = at;
          waits = true;
          return false;
        }
        opens = !idle;
      }
      state = next(state, columns[unit]!);
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
