import type { Unit } from '../compile/engine.ts';
import { MOST_CANDIDATES, MOST_CONTEXT } from '../compile/vet-pattern.ts';
import type { State } from '../pattern/automaton.ts';
import type { Region } from './regions.ts';

/** The possible beginning of a match, and the kind of the character before it. Places are absolute. */
export interface Beginning {
  readonly start: number;
  readonly before: number;
}

/**
 * A possible match: a place where a rule began to match, with the state of the rule's automaton.
 *
 *     begin ──► watch: its text is held back ──► confirm: a secret? ──► a region that hides it
 *                 │                                   └─► no: dropped, and its text continues
 *                 └─► longer than the hold-back: swallow, then grow: the text is hidden while it may belong to the secret
 *
 * Of two candidates in the same state only the older one is followed, and the younger becomes its shadow. From there on both see the same text, so
 * one automaton decides for both beginnings.
 */
export interface Candidate extends Beginning {
  readonly unit: Unit;
  readonly columns: Uint8Array | Uint16Array;
  state: State;
  /** The place from which the text is held for it; -1 in its context. */
  heldFrom: number;
  /** The place at which it must be checked: it has become too long, or is past its first characters. */
  deadline: number;
  /** Whether it is past its first characters, and counts towards the maximum. */
  settled: boolean;
  /** Whether it exceeded the maximum and is no longer followed. */
  gone: boolean;
  /** The place of the rule for which it swallows, without waiting for an end; -1 if it does not. */
  swallows: number;
  /** The confidence of the swallowed text, as a level. */
  level: number;
  /** The region that it swallows into, while the next character may be part of the secret. */
  region: Region | undefined;
  /** The text before it, which must also be before all later parts of its secret. */
  readonly tail: string;
  /** Younger candidates in the same state; they are checked if it does not match. */
  shadows: Beginning[];
}

/**
 * The number of characters after which a candidate counts. A candidate that dies earlier does not affect any other, so it is not followed if its end is
 * already visible.
 */
export const RUN_UP = 16;
/** The maximum number of younger candidates in one elder candidate. */
const MOST_SHADOWS = 4;
const NONE: Beginning[] = [];

/** Creates a candidate that has reached `state` with its first characters; a secret in them begins at `heldFrom`. */
export function newCandidate(
  unit: Unit,
  columns: Candidate['columns'],
  { start, before }: Beginning,
  state: State,
  heldFrom: number,
  tail = '',
): Candidate {
  return {
    unit,
    columns,
    start,
    before,
    state,
    heldFrom,
    deadline: start + (heldFrom < 0 ? RUN_UP : Math.min(RUN_UP, heldFrom - start + unit.maxLength)),
    settled: false,
    gone: false,
    swallows: -1,
    level: 0,
    region: undefined,
    tail,
    shadows: NONE,
  };
}

/** Returns the place at which the secret of a candidate, or the text before it, is too long. */
export function limitOf({ heldFrom, start, unit }: Candidate): number {
  return heldFrom < 0 ? start + MOST_CONTEXT : heldFrom + unit.maxLength;
}

/** Adds a candidate to an elder one in the same state. */
export function shade(older: Candidate, younger: Candidate): void {
  if (older.shadows === NONE) older.shadows = [];
  for (const { start, before } of [younger, ...younger.shadows]) {
    if (older.shadows.length < MOST_SHADOWS) older.shadows.push({ start, before });
  }
  if (younger.heldFrom >= 0 && older.heldFrom > younger.heldFrom) older.heldFrom = younger.heldFrom;
}

/** Returns the first place that is held for a candidate, or `place`. */
export function heldBy(place: number, { heldFrom, gone }: Candidate): number {
  return !gone && heldFrom >= 0 && heldFrom < place ? heldFrom : place;
}

/** Returns the first place that a candidate needs, or `place`: a swallowing candidate needs no earlier text. */
export function neededBy(place: number, { start, swallows, shadows }: Candidate): number {
  if (swallows >= 0) return place;
  return shadows.reduce((least, shadow) => Math.min(least, shadow.start), Math.min(place, start));
}

/** Returns whether a candidate, or one that it represents, began before a place. */
export function beganBefore({ start, shadows, gone }: Candidate, place: number): boolean {
  return !gone && (start < place || shadows.some((shadow) => shadow.start < place));
}

/** Copies a candidate for another text. Returns none if it begins before `floor` or swallows. */
export function forkOf(candidate: Candidate, floor: number): readonly Candidate[] {
  const { unit, start, swallows, gone, shadows } = candidate;
  if (unit.swallow || swallows >= 0 || gone || start < floor) return [];
  return [{ ...candidate, shadows: shadows === NONE ? NONE : [...shadows] }];
}

/** Drops the eldest of too many candidates of one unit: no secret has so many beginnings, unless a literal repeats itself. */
export function makeRoom(live: readonly Candidate[], count: number, unit: Unit): void {
  if (unit.literal) return;
  let oldest: Candidate | undefined;
  let same = 0;
  for (let k = 0; k < count; k++) {
    const other = live[k]!;
    if (other.unit !== unit || !other.settled || other.swallows >= 0 || other.gone) continue;
    oldest ??= other;
    same++;
  }
  if (oldest && same >= MOST_CANDIDATES) oldest.gone = true;
}
