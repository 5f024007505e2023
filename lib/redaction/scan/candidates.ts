import type { Engine, Unit } from '../compile/engine.ts';
import type { State } from '../pattern/automaton.ts';
import { strays, tailBefore } from './alignment.ts';
import {
  type Beginning,
  type Candidate,
  heldBy,
  limitOf,
  makeRoom,
  neededBy,
  newCandidate,
  RUN_UP,
  shade,
} from './candidate.ts';
import { type History, unitAt } from './history.ts';
import { findSecret, judge } from './judge.ts';
import { addRegion, coverOf, letGrow, newRegion, type Region, type Regions } from './regions.ts';
import { cutsPair } from './surrogates.ts';

/** The possible matches of one stream; candidate.ts has a drawing of their lives. */
export interface Candidates {
  count(): number;
  live(): readonly Candidate[];
  /** Advances all candidates through the character at `at` and checks those that die. Call this or `tick` once for each character. */
  follow(at: number, unitClass: number): void;
  /** Counts a character at which candidates may begin but none is followed. */
  tick(): void;
  /** Adds a candidate that reached `state` with the character at `at`; its characters are held from `heldFrom` on, unless it is -1. */
  begin(unit: Unit, where: Beginning, at: number, state: State, heldFrom: number): void;
  /** Ends all candidates at `at`, before the end of the text or a marker. */
  end(at: number, after: number): void;
  /** Returns the first place that is held for a candidate, or `place`. */
  heldFrom(place: number): number;
  /** Returns the first place that a candidate needs, or `place`. */
  neededFrom(place: number): number;
}

/** The beginning of a secret, and the place and level of its rule. */
type Found = Pick<Region, 'order' | 'level'> & { readonly from: number };

/** The moment, for all streams: states record when a candidate was last in them. */
let clock = 0;

/** Creates candidates: none, or copies for another text, which swallow nothing. Findings go to one of the lists; `seen` contains the found keywords. */
export function createCandidates(
  engine: Engine,
  history: History,
  lists: Regions,
  seen: Uint8Array,
  forked?: Candidate[],
): Candidates {
  const { alphabet, vault } = engine;
  const { classOf, kinds } = alphabet;
  const { hidden } = lists;
  let live = forked ?? [];
  /** The number of `live` candidates advanced through the current character. */
  let kept = 0;

  const settle = (from: number, to: number, order: number, level = 0, regions = hidden): Region =>
    addRegion(regions, newRegion(history.text, history.base, from, to, order, level));

  /**
   * Checks the matches of members when they are complete. Returns the first secret. Secrets that are already hidden as surely are skipped, unless `all` is
   * set.
   */
  const confirm = (candidate: Candidate, bits: number, to: number, after: number, all = false): Found | undefined => {
    const { text, base } = history;
    let found: Found | undefined;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const rule = candidate.unit.rules[31 - Math.clz32(rest & -rest)]!;
      for (const { start, before } of [candidate, ...candidate.shadows]) {
        const window = { classOf, kinds, text, from: start - base, to: to - base, before, after };
        const verdict = findSecret(rule, window, seen);
        if (!verdict) continue;
        const from = verdict.from + base;
        const cover = all ? undefined : coverOf(hidden, from, verdict.to + base, rule.order);
        if (cover === 0) continue;
        const level = judge(rule, window, verdict, cover);
        if (level === undefined || vault?.valueOf(text.slice(verdict.from, verdict.to)) !== undefined) continue;
        const regions = lists.of(level);
        settle(from, verdict.to + base, rule.order, level, regions);
        if (regions !== hidden) lists.onLeft?.(text.slice(verdict.from, verdict.to), rule.order, level);
        else found ??= { from, order: rule.order, level };
        break;
      }
    }
    return found;
  };

  /** Swallows the text from `from` to the character at `at`, and the next characters while they may be part of the secret. */
  const swallow = (candidate: Candidate, from: number, at: number): void => {
    candidate.region = letGrow(hidden, settle(from, at + 1, candidate.swallows, candidate.level));
    candidate.deadline = -1;
  };

  const grow = (candidate: Candidate, at: number): void => {
    const { state, region, unit, heldFrom } = candidate;
    if (!state.within || strays(candidate, history, at)) {
      // Text after a swallowed part of a secret waits: it is swallowed too if another part follows.
      candidate.gone = heldFrom >= 0 && at - heldFrom >= unit.maxLength;
      if (!unit.swallow || !state.held || candidate.gone) release(candidate);
      else if (heldFrom < 0) candidate.heldFrom = at;
      return;
    }
    candidate.heldFrom = -1;
    if (!region) swallow(candidate, heldFrom < 0 ? at : heldFrom, at);
    else if (region.end <= at) region.end = at + 1;
  };

  const release = (candidate: Candidate): void => {
    const { region } = candidate;
    if (!region) return;
    candidate.region = undefined;
    region.growing--;
    if (cutsPair(history.text, region.end - history.base)) region.end++;
  };

  /** Checks the text that a candidate holds back; `false` if the candidate is dropped. */
  const watch = (candidate: Candidate, at: number, after: number): boolean => {
    const { state, unit } = candidate;
    if (unit.swallow) {
      if (state.within) {
        candidate.swallows = unit.rules[0]!.order;
        swallow(candidate, at, at);
        return true;
      }
    } else if (state.held !== candidate.heldFrom >= 0 && (state.held || state.matched === 0)) {
      candidate.heldFrom = state.held ? at : -1;
      candidate.deadline = candidate.settled
        ? limitOf(candidate)
        : Math.min(limitOf(candidate), candidate.start + RUN_UP);
    }
    if (at < candidate.deadline) return true;
    if (!candidate.settled && at >= candidate.start + RUN_UP) {
      candidate.settled = true;
      candidate.deadline = limitOf(candidate);
      makeRoom(live, kept, unit);
    }
    if (at < limitOf(candidate)) return true;
    const found = unit.swallow ? undefined : confirm(candidate, state.matched & state.alive, at, after, true);
    if (!found || forked) return false;
    candidate.swallows = found.order;
    candidate.level = found.level;
    candidate.heldFrom = candidate.deadline = -1;
    if (state.within) swallow(candidate, found.from, at);
    return true;
  };

  /** Returns whether another candidate is in the same state. That one then represents both. */
  const isShaded = (candidate: Candidate): boolean => {
    const { state } = candidate;
    if (state.seen !== clock) {
      state.seen = clock;
      return false;
    }
    for (let k = 0; k < kept; k++) {
      const older = live[k]!;
      if (older.state !== state || older.gone || older.swallows >= 0 !== candidate.swallows >= 0) continue;
      if (candidate.swallows >= 0) release(candidate);
      else shade(older, candidate);
      return true;
    }
    return false;
  };

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
      if (ended && candidate.swallows < 0 && !candidate.unit.swallow) confirm(candidate, ended, at, after);
      if (state.alive === 0) {
        release(candidate);
        continue;
      }
      if (isShaded(candidate)) continue;
      if (candidate.swallows >= 0) grow(candidate, at);
      else if (!watch(candidate, at, after)) continue;
      live[kept++] = candidate;
    }
    if (live.length > kept) live.length = kept;
  };

  const begin = (unit: Unit, where: Beginning, at: number, state: State, heldFrom: number): void => {
    const { automaton, swallow: swallows } = unit;
    const tail = unit.aligned ? tailBefore(history, where.start) : '';
    if (tail === undefined || (swallows && forked)) return;
    const candidate = newCandidate(unit, automaton.columns, where, state, swallows ? -1 : heldFrom, tail);
    if (swallows) swallowFirst(candidate, at);
    if (!isShaded(candidate)) kept = live.push(candidate);
  };

  /** Swallows the secret part of the first characters. No region grows before the current place, because the text between may belong to another region. */
  const swallowFirst = (candidate: Candidate, at: number): void => {
    const { start, before, unit } = candidate;
    const { order } = unit.rules[0]!;
    let state = unit.automaton.start(before);
    let from = -1;
    for (let place = start; place <= at; place++) {
      state = unit.automaton.step(state, classOf[unitAt(history, place)]!);
      if (state.within) {
        if (from < 0) from = place;
        candidate.swallows = order;
        candidate.deadline = -1;
      } else if (from >= 0) {
        settle(from, place, order);
        from = -1;
      }
    }
    if (from >= 0) swallow(candidate, from, at);
  };

  const end = (at: number, after: number): void => {
    for (const candidate of live) {
      if (candidate.gone) continue;
      const { state, unit, swallows } = candidate;
      const bits = unit.automaton.finish(state, after) & state.alive;
      if (bits && swallows < 0 && !unit.swallow) confirm(candidate, bits, at, after);
      release(candidate);
    }
    live = [];
  };

  return {
    count: () => live.length,
    live: () => live,
    follow,
    tick() {
      clock++;
      kept = 0;
    },
    begin,
    end,
    heldFrom: (place) => live.reduce(heldBy, place),
    neededFrom: (place) => live.reduce(neededBy, place),
  };
}
