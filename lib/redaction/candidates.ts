import { type Candidate, limitOf, newCandidate, RUN_UP, shade } from './candidate.ts';
import type { Engine, Unit } from './engine.ts';
import { type History, unitAt } from './history.ts';
import { judge } from './judge.ts';
import { addRegion, newRegion, type Region } from './regions.ts';
import { cutsPair } from './surrogates.ts';
import { MOST_CANDIDATES } from './vet-pattern.ts';

/** The matches that may be, of one stream. */
export interface Candidates {
  /** How many there are. */
  count(): number;
  /** Follows all through the character at `at`; those that die are looked at. To be called once for each character, or `tick`. */
  follow(at: number, unitClass: number): void;
  /** There was nothing to follow through a character at which some may begin. */
  tick(): void;
  /** One has begun at `start`; the characters up to `at` are its first. */
  begin(unit: Unit, start: number, at: number, before: number): void;
  /** At `at` nothing follows, or a marker. */
  end(at: number, after: number): void;
  /** The first place that is held for one, or `place`. */
  heldFrom(place: number): number;
  /** The first place that one needs, or `place`. */
  neededFrom(place: number): number;
}

/** The moment, for all streams: states remember when a candidate was last seen in them. */
let clock = 0;

/** No candidates yet. What they find they put into `regions`; the keywords that have been `seen` are looked up. */
export function createCandidates(engine: Engine, history: History, regions: Region[], seen: Uint8Array): Candidates {
  const { alphabet, vault } = engine;
  const { classOf, kinds } = alphabet;
  let live: Candidate[] = [];
  /** How many of `live` have been followed through the present character. */
  let kept = 0;

  const settle = (from: number, to: number, order: number): Region => {
    const { text, base } = history;
    const region = addRegion(regions, newRegion(text, base, from, to, order));
    if (region.fixed) region.value ??= text.slice(region.start - base, region.end - base);
    return region;
  };

  /** Looks at what members have matched, now that no more can be had of them. Gives the region of the first secret found. */
  const confirm = (candidate: Candidate, bits: number, to: number, after: number): Region | undefined => {
    const { text, base } = history;
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
    const { text, base } = history;
    region.growing++;
    region.fixed = true;
    region.value ??= text.slice(region.start - base, region.end - base);
    candidate.region = region;
    candidate.deadline = -1;
    grow(candidate, at);
  };

  const grow = ({ state, region }: Candidate, at: number): void => {
    if (state.within && region && region.end <= at) region.end = at + 1;
  };

  const release = ({ region }: Candidate): void => {
    if (!region) return;
    region.growing--;
    if (cutsPair(history.text, region.end - history.base)) region.end++;
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

  /** The eldest of too many candidates of one unit goes: so many beginnings are in no secret, unless a literal repeats itself. */
  const makeRoom = (unit: Unit): void => {
    if (unit.literal) return;
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
    clock++;
    kept = 0;
    for (let k = 0; k < live.length; k++) {
      const candidate = live[k]!;
      if (candidate.gone) continue;
      const previous = candidate.state;
      const state = previous.next[candidate.columns[unitClass]!] ?? candidate.unit.automaton.step(previous, unitClass);
      candidate.state = state;
      if (state.quiet && state.seen !== clock && at < candidate.deadline && state.held === candidate.heldFrom >= 0) {
        state.seen = clock;
        live[kept++] = candidate;
        continue;
      }
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

  /** A candidate has begun at `start`; the characters up to `at` are its first. */
  const begin = (unit: Unit, start: number, at: number, before: number): void => {
    const candidate = newCandidate(unit, start, before);
    for (let place = start; place <= at; place++) {
      const unitClass = classOf[unitAt(history, place)]!;
      candidate.state = unit.automaton.step(candidate.state, unitClass);
      if (candidate.region) grow(candidate, place);
      else if (!watch(candidate, place, kinds[unitClass]!)) return;
    }
    if (!isShaded(candidate)) kept = live.push(candidate);
  };

  const end = (at: number, after: number): void => {
    for (const candidate of live) {
      if (candidate.gone) continue;
      const { state, region, unit } = candidate;
      const bits = unit.automaton.finish(state, after) & state.alive;
      if (bits && !region) confirm(candidate, bits, at, after);
      release(candidate);
    }
    live = [];
  };

  return {
    count: () => live.length,
    follow,
    tick() {
      clock++;
      kept = 0;
    },
    begin,
    end,
    heldFrom(place) {
      let least = place;
      for (const { heldFrom, region, gone } of live) {
        if (!region && !gone && heldFrom >= 0 && heldFrom < least) least = heldFrom;
      }
      return least;
    },
    neededFrom(place) {
      let least = place;
      for (const { start, region, shadows } of live) {
        if (region) continue;
        if (start < least) least = start;
        for (const shadow of shadows) if (shadow.start < least) least = shadow.start;
      }
      return least;
    },
  };
}
