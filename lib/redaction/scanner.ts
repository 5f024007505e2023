import { type Candidate, limitOf, newCandidate, RUN_UP, shade } from './candidate.ts';
import type { Engine, Unit } from './engine.ts';
import { judge } from './judge.ts';
import { Kind } from './pattern/alphabet.ts';
import type { Automaton, State } from './pattern/automaton.ts';
import { addRegion, newRegion, type Region } from './regions.ts';
import { cutsPair } from './surrogates.ts';
import { MOST_CANDIDATES } from './vet-pattern.ts';

/**
 * Walks one stream of text, character by character, and finds the regions to replace. All that it decides depends on the characters so far
 * and on nothing else, so that it does not matter in what pieces they come. Places are absolute.
 */
export interface Scanner {
  readonly regions: Region[];
  /** What may be looked back at: `text`, of which the first character has the place `base`. It reaches to the end of what has come. */
  remember(text: string, base: number): void;
  /**
   * Reads `chunk`, of which the first character has the place `from`, up to the place `to`, and gives the place that it has come to: if more
   * may follow, that may be up to `RUN_UP` characters less.
   */
  scan(chunk: string, from: number, to: number, final: boolean): number;
  /** Goes past a marker that ends at `to`: nothing can match across it. */
  skip(to: number): void;
  /** Nothing follows. */
  finish(): void;
  /** Before this place all secrets are known. */
  frontier(): number;
  /** The text from this place on is still needed. */
  needed(): number;
}

const BLOCK = 2048;
/** Landmarks that lead to candidates are at most this long. */
const HISTORY = 16;
/** The moment, for all scanners: states remember when a candidate was last seen in them. */
let clock = 0;

/** A scanner at the beginning of a stream. */
export function createScanner(engine: Engine): Scanner {
  const { alphabet, landmarks, openUnits, vault } = engine;
  const { classOf, kinds, size } = alphabet;
  const { columns, goto, findsFrom } = landmarks;
  const { first, second } = engine.beginnings;
  const seen = new Uint8Array(engine.keywordCount);
  const regions: Region[] = [];
  let text = '';
  let base = 0;
  /** What is being read, its place, its end, and whether nothing may follow that could be seen beforehand. */
  let chunk = '';
  let from = 0;
  let limit = 0;
  let final = false;
  let live: Candidate[] = [];
  /** How many of `live` have been followed through the present character. */
  let kept = 0;
  let pos = 0;
  let node = 0;
  let kind: number = Kind.edge;
  /** Where the text begins that candidates may begin in, and what stands before: the edge, or a marker. */
  let floor = 0;
  let floorKind: number = Kind.edge;

  /** Joining the chunk to what came before costs more than all else; it is put off as long as nothing looks back. */
  const classAt = (place: number): number =>
    classOf[place >= from ? chunk.charCodeAt(place - from) : text.charCodeAt(place - base)]!;

  const settle = (from: number, to: number, order: number): Region => {
    const region = addRegion(regions, newRegion(text, base, from, to, order));
    if (region.fixed) region.value ??= text.slice(region.start - base, region.end - base);
    return region;
  };

  /** Looks at what members have matched, now that no more can be had of them. Gives the region of the first secret found. */
  const confirm = (candidate: Candidate, bits: number, to: number, after: number): Region | undefined => {
    let found: Region | undefined;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const rule = candidate.unit.rules[31 - Math.clz32(rest & -rest)]!;
      for (const { start, before } of [candidate, ...candidate.shadows]) {
        const window = { classOf, kinds, text, from: start - base, to: to - base, before, after };
        const verdict = judge(rule, window, seen);
        if (!verdict || vault?.valueOf(text.slice(verdict.from, verdict.to)) !== undefined) continue;
        const region = settle(verdict.from + base, verdict.to + base, rule.order);
        found ??= region;
        break;
      }
    }
    return found;
  };

  const swallow = (candidate: Candidate, region: Region, at: number): void => {
    region.growing++;
    region.fixed = true;
    region.value ??= text.slice(region.start - base, region.end - base);
    candidate.region = region;
    grow(candidate, at);
  };

  const grow = ({ state, region }: Candidate, at: number): void => {
    if (state.within && region && region.end <= at) region.end = at + 1;
  };

  const release = ({ region }: Candidate): void => {
    if (!region) return;
    region.growing--;
    if (cutsPair(text, region.end - base)) region.end++;
  };

  /** Sees to what a candidate holds back; `false` if it is to be given up. */
  const watch = (candidate: Candidate, at: number, after: number): boolean => {
    const { state, unit } = candidate;
    if (state.held !== candidate.heldFrom >= 0 && (state.held || state.matched === 0)) {
      candidate.heldFrom = state.held ? at : -1;
      candidate.deadline = candidate.settled
        ? limitOf(candidate)
        : Math.min(limitOf(candidate), candidate.start + RUN_UP);
      if (state.held && unit.swallow) {
        swallow(candidate, settle(at, at + 1, unit.rules[0]!.order), at);
        return true;
      }
    }
    if (at < candidate.deadline) return true;
    if (!candidate.settled && at >= candidate.start + RUN_UP) {
      candidate.settled = true;
      candidate.deadline = limitOf(candidate);
      makeRoom(unit);
    }
    if (at < limitOf(candidate)) return true;
    const region = confirm(candidate, state.matched & state.alive, at, after);
    if (region) swallow(candidate, region, at);
    return region !== undefined;
  };

  /** The eldest of too many candidates of one unit goes: so many beginnings are in no secret. */
  const makeRoom = (unit: Unit): void => {
    let eldest: Candidate | undefined;
    let count = 0;
    for (let k = 0; k < kept; k++) {
      const other = live[k]!;
      if (other.unit !== unit || !other.settled || other.region || other.gone) continue;
      eldest ??= other;
      count++;
    }
    if (eldest && count >= MOST_CANDIDATES) eldest.gone = true;
  };

  /** Whether another candidate is in the same state; then that one stands for this one too. */
  const isShaded = (candidate: Candidate): boolean => {
    const { state } = candidate;
    if (state.seen !== clock) {
      state.seen = clock;
      return false;
    }
    if (candidate.region) return false;
    for (let k = 0; k < kept; k++) {
      const elder = live[k]!;
      if (elder.state !== state || elder.gone) continue;
      shade(elder, candidate);
      return true;
    }
    return false;
  };

  /** Follows the candidates through the character at `at`; those that die are looked at. */
  const follow = (at: number, unitClass: number): void => {
    const after = kinds[unitClass]!;
    kept = 0;
    for (let k = 0; k < live.length; k++) {
      const candidate = live[k]!;
      if (candidate.gone) continue;
      const previous = candidate.state;
      const state = previous.next[candidate.columns[unitClass]!] ?? candidate.unit.automaton.step(previous, unitClass);
      candidate.state = state;
      const ended = state.matched & ~state.alive & ~(previous.matched & ~previous.alive);
      if (ended && !candidate.region) confirm(candidate, ended, at, after);
      if (state.alive === 0) {
        release(candidate);
        continue;
      }
      if (isShaded(candidate)) continue;
      if (candidate.region) grow(candidate, at);
      else if (!watch(candidate, at, after)) continue;
      live[kept++] = candidate;
    }
    live.length = kept;
  };

  /** Whether a candidate that is in `state` dies without a match before `stop`; `undefined` if it lives on so far. */
  const dies = (automaton: Automaton, state: State, at: number, stop: number): boolean | undefined => {
    const own = automaton.columns;
    let now = state;
    for (let place = at; place < stop; place++) {
      const unitClass = classOf[chunk.charCodeAt(place - from)]!;
      now = now.next[own[unitClass]!] ?? automaton.step(now, unitClass);
      if (now.alive === 0) return now.matched === 0;
    }
    return undefined;
  };

  /** A candidate has begun at `start`; the characters up to `at` are its first. */
  const begin = (unit: Unit, start: number, at: number, before: number): void => {
    const candidate = newCandidate(unit, start, before);
    for (let place = start; place <= at; place++) {
      const unitClass = classAt(place);
      candidate.state = unit.automaton.step(candidate.state, unitClass);
      if (candidate.region) grow(candidate, place);
      else if (!watch(candidate, place, kinds[unitClass]!)) return;
    }
    if (!isShaded(candidate)) kept = live.push(candidate);
  };

  /** The character at `at` completes landmarks. */
  const land = (at: number): void => {
    for (const { found, length } of landmarks.found(node)) {
      if ('keyword' in found) {
        seen[found.keyword] = 1;
        continue;
      }
      const { unit } = found;
      const { automaton } = unit;
      const start = at - length + 1;
      const before = start === floor ? floorKind : kinds[classAt(start - 1)]!;
      let state = automaton.start(before);
      for (let place = start; place <= at && state.alive !== 0; place++) state = automaton.step(state, classAt(place));
      if (state.alive === 0) continue;
      const doomed = !unit.swallow && dies(automaton, state, at + 1, Math.min(limit, start + RUN_UP));
      if (!doomed) begin(unit, start, at, before);
    }
  };

  /** Open units may begin with the character at `at`. */
  const open = (at: number, unitClass: number): void => {
    for (const unit of openUnits) {
      const { automaton } = unit;
      const state = automaton.step(automaton.start(kind), unitClass);
      if (state.alive === 0) continue;
      if (unit.swallow || !dies(automaton, state, at + 1, Math.min(limit, at + RUN_UP))) begin(unit, at, at, kind);
    }
  };

  /** Whether nothing that begins with the character at `at` needs to be followed; `undefined` if more text would tell. */
  const idles = (at: number, unitClass: number): boolean | undefined => {
    let idle: boolean | undefined = true;
    for (const { automaton, swallow: swallows } of openUnits) {
      const state = automaton.step(automaton.start(kind), unitClass);
      if (state.alive === 0) continue;
      const doomed = swallows ? false : dies(automaton, state, at + 1, Math.min(limit, at + RUN_UP));
      if (doomed === undefined && !final && limit < at + RUN_UP) idle &&= undefined;
      else if (!doomed) idle = false;
    }
    return idle;
  };

  /** Reads up to `to`; gives `false` if it has to wait. */
  const run = (to: number): boolean => {
    const piece = chunk;
    const origin = from;
    let state = node;
    for (let at = pos; at < to; at++) {
      const unit = piece.charCodeAt(at - origin);
      const unitClass = classOf[unit]!;
      const place = kind * size + unitClass;
      let opens = first[place] !== 0;
      if (opens && at + 1 < limit) opens = second[place * size + classOf[piece.charCodeAt(at + 1 - origin)]!] !== 0;
      if (opens) {
        const idle = idles(at, unitClass);
        if (idle === undefined) {
          node = state;
          pos = at;
          return false;
        }
        opens = !idle;
      }
      state = goto[state + columns[unit]!]!;
      if (live.length > 0 || opens || state >= findsFrom) {
        clock++;
        if (live.length > 0) follow(at, unitClass);
        else kept = 0;
        if (opens) open(at, unitClass);
        if (state >= findsFrom) {
          node = state;
          land(at);
        }
      }
      kind = kinds[unitClass]!;
    }
    node = state;
    pos = to;
    return true;
  };

  const end = (after: number): void => {
    for (const candidate of live) {
      if (candidate.gone) continue;
      const { state, region, unit } = candidate;
      const bits = unit.automaton.finish(state, after) & state.alive;
      if (bits && !region) confirm(candidate, bits, pos, after);
      release(candidate);
    }
    live = [];
    node = 0;
  };

  return {
    regions,
    remember(history, place) {
      text = history;
      base = place;
      chunk = '';
      from = Infinity;
    },
    scan(piece, place, to, last) {
      chunk = piece;
      from = place;
      limit = to;
      final = last;
      while (pos < to) {
        const stop = Math.min(to, pos + BLOCK);
        engine.count(stop - pos);
        if (!run(stop)) break;
      }
      return pos;
    },
    skip(to) {
      end(Kind.marker);
      pos = floor = to;
      kind = floorKind = Kind.marker;
    },
    finish: () => end(Kind.edge),
    frontier() {
      let place = pos - landmarks.held(node);
      for (const { heldFrom, region, gone } of live) {
        if (!region && !gone && heldFrom >= 0 && heldFrom < place) place = heldFrom;
      }
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
}
