import type { Unit } from '../compile/engine.ts';
import { MOST_CANDIDATES, MOST_CONTEXT } from '../compile/vet-pattern.ts';
import type { State } from '../pattern/automaton.ts';
import type { Region } from './regions.ts';

/** Where a match may begin, and the kind of what stands before it. Places are absolute. */
export interface Beginning {
  readonly start: number;
  readonly before: number;
}

/** A match that may be. */
export interface Candidate extends Beginning {
  readonly unit: Unit;
  readonly columns: Uint8Array | Uint16Array;
  state: State;
  /** From where on the text is held for it; -1 while it is in its context. */
  heldFrom: number;
  /** Where it has to be looked at: it has become too long, or has outlived its first characters. */
  deadline: number;
  /** It has outlived its first characters, and counts among those of which there may be too many. */
  settled: boolean;
  /** There were too many; it is not followed any more. */
  gone: boolean;
  /** The place of the rule that it swallows for, without waiting for an end any more; -1 if it does not. */
  swallows: number;
  /** How sure what it swallows is, as a level. */
  level: number;
  /** What it swallows into; it has one while what comes may be part of the secret. */
  region: Region | undefined;
  /** Younger candidates that have come to the same state; they are looked at if it turns out to be none. */
  shadows: Beginning[];
}

/**
 * Characters after which a candidate counts. Whether one that dies before has ever been followed makes no difference to any other, so it
 * need not be if its end can be seen already.
 */
export const RUN_UP = 16;
/** The most younger candidates that an elder one stands for. */
const MOST_SHADOWS = 4;
const NONE: Beginning[] = [];

/** A candidate that has come to `state` with its first characters; a secret in them begins at `heldFrom`. */
export function newCandidate(
  unit: Unit,
  columns: Candidate['columns'],
  { start, before }: Beginning,
  state: State,
  heldFrom: number,
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
    shadows: NONE,
  };
}

/** Where a candidate is too long: its secret, or what comes before. */
export function limitOf({ heldFrom, start, unit }: Candidate): number {
  return heldFrom < 0 ? start + MOST_CONTEXT : heldFrom + unit.maxLength;
}

/** Puts a candidate behind an elder one that has come to the same state. */
export function shade(elder: Candidate, younger: Candidate): void {
  if (elder.shadows === NONE) elder.shadows = [];
  for (const { start, before } of [younger, ...younger.shadows]) {
    if (elder.shadows.length < MOST_SHADOWS) elder.shadows.push({ start, before });
  }
  if (younger.heldFrom >= 0 && elder.heldFrom > younger.heldFrom) elder.heldFrom = younger.heldFrom;
}

/** The first place that is held for a candidate, or `place`. */
export function heldBy(place: number, { heldFrom, gone }: Candidate): number {
  return !gone && heldFrom >= 0 && heldFrom < place ? heldFrom : place;
}

/** The first place that a candidate needs, or `place`: what swallows looks back no more. */
export function neededBy(place: number, { start, swallows, shadows }: Candidate): number {
  if (swallows >= 0) return place;
  return shadows.reduce((least, shadow) => Math.min(least, shadow.start), Math.min(place, start));
}

/** Whether a candidate, or one that it stands for, began before a place. */
export function beganBefore({ start, shadows, gone }: Candidate, place: number): boolean {
  return !gone && (start < place || shadows.some((shadow) => shadow.start < place));
}

/** The same in another text; none of one that begins before `floor`, or swallows. */
export function forkOf(candidate: Candidate, floor: number): readonly Candidate[] {
  const { unit, start, swallows, gone, shadows } = candidate;
  if (unit.swallow || swallows >= 0 || gone || start < floor) return [];
  return [{ ...candidate, shadows: shadows === NONE ? NONE : [...shadows] }];
}

/** The eldest of too many candidates of one unit goes: so many beginnings are in no secret, unless a literal repeats itself. */
export function makeRoom(live: readonly Candidate[], count: number, unit: Unit): void {
  if (unit.literal) return;
  let eldest: Candidate | undefined;
  let same = 0;
  for (let k = 0; k < count; k++) {
    const other = live[k]!;
    if (other.unit !== unit || !other.settled || other.swallows >= 0 || other.gone) continue;
    eldest ??= other;
    same++;
  }
  if (eldest && same >= MOST_CANDIDATES) eldest.gone = true;
}
