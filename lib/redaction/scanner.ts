import type { Engine, Unit } from './engine.ts';
import { judge } from './judge.ts';
import { Kind } from './pattern/alphabet.ts';
import type { State } from './pattern/automaton.ts';
import { addRegion, type Region } from './regions.ts';
import { MOST_CANDIDATES, MOST_CONTEXT } from './vet-pattern.ts';

/** Where a match may begin, and the kind of what stands before it. */
interface Beginning {
  readonly start: number;
  readonly before: number;
}

/** A match that may be. Places are absolute. */
interface Candidate extends Beginning {
  readonly unit: Unit;
  readonly columns: Uint8Array | Uint16Array;
  state: State;
  /** From where on the text is held for it; -1 while it is in its context. */
  heldFrom: number;
  /** Where it has become too long. */
  deadline: number;
  /** What it swallows into. */
  region: Region | undefined;
  /** Younger candidates that have come to the same state; they are looked at if it turns out to be none. */
  shadows: Beginning[];
}

/**
 * Walks one stream of text, character by character, and finds the regions to replace. All that it decides depends on the characters so far
 * and on nothing else, so that it does not matter in what pieces they come.
 */
export interface Scanner {
  readonly regions: Region[];
  /** Reads `text` (of which the first character has the place `base`) up to the place `to`. */
  scan(text: string, base: number, to: number): void;
  /** Goes past a marker: nothing can match across it. */
  skip(text: string, base: number, to: number): void;
  /** Nothing follows. */
  finish(text: string, base: number): void;
  /** Before this place all secrets are known. */
  frontier(): number;
  /** The text from this place on is still needed. */
  needed(): number;
}

const BLOCK = 2048;
/** The most younger candidates that an elder one stands for. */
const MOST_SHADOWS = 4;
const NONE: Beginning[] = [];
/** The moment, for all scanners: states remember when a candidate was last seen in them. */
let clock = 0;

/** A scanner at the beginning of a stream. */
export function createScanner(engine: Engine): Scanner {
  const { alphabet, landmarks, openUnits, begins } = engine;
  const { classOf, kinds, size } = alphabet;
  const { columns, goto, findsFrom } = landmarks;
  const seen = new Uint8Array(engine.keywordCount);
  const regions: Region[] = [];
  let live: Candidate[] = [];
  let pos = 0;
  let node = 0;
  let kind: number = Kind.edge;

  /** Looks at what members have matched, now that no more can be had of them. Gives the region of the first secret found. */
  const confirm = (candidate: Candidate, bits: number, text: string, base: number, to: number, after: number) => {
    let found: Region | undefined;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const rule = candidate.unit.rules[31 - Math.clz32(rest & -rest)]!;
      for (const { start, before } of [candidate, ...candidate.shadows]) {
        const window = { classOf, kinds, text, from: start - base, to: to - base, before, after };
        const verdict = judge(rule, window, seen);
        if (!verdict || engine.vault?.valueOf(text.slice(verdict.from, verdict.to)) !== undefined) continue;
        const region = settle(spanOf(text, base, verdict.from + base, verdict.to + base, rule.order), text, base);
        found ??= region;
        break;
      }
    }
    return found;
  };

  /** Puts a candidate behind the elder one that has come to the same state. */
  const shade = ({ state, start, before, heldFrom, shadows }: Candidate): void => {
    const elder = live.find((other) => other.state === state)!;
    if (elder.region) return;
    if (elder.shadows === NONE) elder.shadows = [];
    for (const younger of [{ start, before }, ...shadows]) {
      if (elder.shadows.length < MOST_SHADOWS) elder.shadows.push(younger);
    }
    if (heldFrom >= 0 && elder.heldFrom > heldFrom) elder.heldFrom = heldFrom;
  };

  const settle = (region: Region, text: string, base: number): Region => {
    const united = addRegion(regions, region);
    if (united.fixed) united.value ??= text.slice(united.start - base, united.end - base);
    return united;
  };

  const swallow = (candidate: Candidate, region: Region): void => {
    region.growing++;
    region.fixed = true;
    candidate.region = region;
    candidate.deadline = Infinity;
  };

  const release = ({ region }: Candidate, text: string, base: number): void => {
    if (!region) return;
    region.growing--;
    const end = region.end - base;
    if (isLow(text, end) && isHigh(text, end - 1)) region.end++;
  };

  /** Follows the candidates through the character at `at`; gives those that live on. */
  const follow = (text: string, base: number, at: number, unitClass: number): void => {
    const after = kinds[unitClass]!;
    let kept = 0;
    for (let k = 0; k < live.length; k++) {
      const candidate = live[k]!;
      const previous = candidate.state;
      const state =
        previous.next[candidate.columns[unitClass]!] ?? candidate.unit.automaton.step(previous, unitClass);
      candidate.state = state;
      if (state.matched & ~state.alive && !candidate.region) {
        const ended = state.matched & ~state.alive & ~(previous.matched & ~previous.alive);
        if (ended) confirm(candidate, ended, text, base, at, after);
      }
      if (state.alive === 0) {
        release(candidate, text, base);
        continue;
      }
      if (state.seen === clock) {
        if (!candidate.region) {
          shade(candidate);
          continue;
        }
      } else state.seen = clock;
      if (candidate.region) grow(candidate, at);
      else if (!watch(candidate, text, base, at, after)) continue;
      live[kept++] = candidate;
    }
    live.length = kept;
  };

  /** Sees to what a candidate holds back; `false` if it is to be given up. */
  const watch = (candidate: Candidate, text: string, base: number, at: number, after: number): boolean => {
    const { state, unit } = candidate;
    if (state.held) {
      if (candidate.heldFrom < 0) {
        candidate.heldFrom = at;
        candidate.deadline = at + unit.maxLength;
        if (unit.swallow) {
          const { order } = unit.rules[0]!;
          swallow(candidate, settle(spanOf(text, base, at, at + 1, order), text, base));
          candidate.region!.value ??= text.slice(at - base, at + 1 - base);
          return true;
        }
      }
    } else if (candidate.heldFrom >= 0 && state.matched === 0) {
      candidate.heldFrom = -1;
      candidate.deadline = at + MOST_CONTEXT;
    }
    if (at < candidate.deadline) return true;
    const region = confirm(candidate, state.matched & state.alive, text, base, at, after);
    if (!region) return false;
    swallow(candidate, region);
    region.value ??= text.slice(region.start - base, region.end - base);
    grow(candidate, at);
    return true;
  };

  const grow = ({ state, region }: Candidate, at: number): void => {
    if (state.within && region && region.end <= at) region.end = at + 1;
  };

  /** The eldest of too many candidates of one unit goes: so many beginnings are in no secret. */
  const makeRoom = (unit: Unit): void => {
    let count = 0;
    let eldest = -1;
    for (let k = live.length - 1; k >= 0; k--) {
      if (live[k]!.unit !== unit || live[k]!.region) continue;
      count++;
      eldest = k;
    }
    if (count >= MOST_CANDIDATES) live.splice(eldest, 1);
  };

  /** A candidate has begun at `start`; the characters up to `at` are its first. */
  const begin = (unit: Unit, text: string, base: number, start: number, at: number, before: number): void => {
    const { automaton } = unit;
    let state = automaton.start(before);
    for (let place = start; place <= at; place++) {
      state = automaton.step(state, classOf[text.charCodeAt(place - base)]!);
      if (state.alive === 0) return;
    }
    const { columns: own } = automaton;
    const deadline = start + MOST_CONTEXT;
    const fresh = automaton.start(before);
    const candidate: Candidate = {
      unit,
      columns: own,
      start,
      before,
      state: fresh,
      heldFrom: -1,
      deadline,
      region: undefined,
      shadows: NONE,
    };
    for (let place = start; place <= at; place++) {
      const unitClass = classOf[text.charCodeAt(place - base)]!;
      candidate.state = automaton.step(candidate.state, unitClass);
      if (candidate.region) grow(candidate, place);
      else if (!watch(candidate, text, base, place, kinds[unitClass]!)) return;
    }
    if (candidate.state.seen === clock && !candidate.region) {
      shade(candidate);
      return;
    }
    candidate.state.seen = clock;
    if (live.length >= MOST_CANDIDATES) makeRoom(unit);
    live.push(candidate);
  };

  /** The character at `at` completes landmarks. */
  const land = (text: string, base: number, at: number): void => {
    for (const { found, length } of landmarks.found(node)) {
      if ('keyword' in found) seen[found.keyword] = 1;
      else {
        const start = at - length + 1;
        const before = start === floor ? floorKind : kinds[classOf[text.charCodeAt(start - base - 1)]!]!;
        begin(found.unit, text, base, start, at, before);
      }
    }
  };

  /** Reads up to `to`, first at full speed as long as there is no candidate. */
  const run = (text: string, base: number, to: number): void => {
    let state = node;
    let at = pos;
    while (at < to) {
      const unit = text.charCodeAt(at - base);
      const unitClass = classOf[unit]!;
      state = goto[state + columns[unit]!]!;
      const opens = begins[kind * size + unitClass]!;
      if (live.length > 0 || opens !== 0 || state >= findsFrom) {
        clock++;
        if (live.length > 0) follow(text, base, at, unitClass);
        if (opens !== 0) for (const open of openUnits) begin(open, text, base, at, at, kind);
        node = state;
        if (state >= findsFrom) land(text, base, at);
      }
      kind = kinds[unitClass]!;
      at++;
    }
    node = state;
    pos = to;
  };

  /** Where the text begins that candidates may begin in, and what stands before: the edge, or a marker. */
  let floor = 0;
  let floorKind: number = Kind.edge;

  return {
    regions,
    scan(text, base, to) {
      while (pos < to) {
        const end = Math.min(to, pos + BLOCK);
        engine.count(end - pos);
        run(text, base, end);
      }
    },
    skip(text, base, to) {
      end(text, base, Kind.marker);
      pos = floor = to;
      kind = floorKind = Kind.marker;
    },
    finish: (text, base) => end(text, base, Kind.edge),
    frontier() {
      let place = pos - landmarks.held(node);
      for (const { heldFrom, region } of live) if (!region && heldFrom >= 0 && heldFrom < place) place = heldFrom;
      return place;
    },
    needed() {
      let place = pos - HISTORY;
      for (const { start, region, shadows } of live) {
        if (region) continue;
        if (start < place) place = start;
        for (const shadow of shadows) if (shadow.start < place) place = shadow.start;
      }
      return place - engine.lookBack;
    },
  };

  function end(text: string, base: number, after: number): void {
    for (const candidate of live) {
      const { automaton } = candidate.unit;
      const { state, region } = candidate;
      const bits = automaton.finish(state, after) & state.alive;
      if (bits && !region) confirm(candidate, bits, text, base, pos, after);
      release(candidate, text, base);
    }
    live = [];
    node = 0;
  }
}

/** Landmarks are at most this long. */
const HISTORY = 16;

/** A region that does not cut a pair in two. */
function spanOf(text: string, base: number, from: number, to: number, order: number): Region {
  const start = isLow(text, from - base) && isHigh(text, from - base - 1) ? from - 1 : from;
  const end = isLow(text, to - base) && isHigh(text, to - base - 1) ? to + 1 : to;
  return { start, end, order, growing: 0, fixed: false, marked: false, value: undefined };
}

function isHigh(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

function isLow(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
