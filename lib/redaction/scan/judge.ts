import type { EngineRule } from '../compile/engine-rule.ts';
import type { Sighting } from '../compile/sighting.ts';
import { type Confidence, confidences } from '../confidence.ts';
import { matchWithin, type Window } from '../pattern/match-within.ts';
import { entropy } from './entropy.ts';

/** How far back the line of a match is looked at. */
export const LOOK_BACK = 256;

/** Where the secret of a match stands in the text of the window, and where the match ends. */
export interface Verdict {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** Finds the match that an automaton has promised, and says where its secret would be; `undefined` if there is none after all. */
export function findSecret(
  { compiled, keywords, members }: EngineRule,
  window: Window,
  seen: Uint8Array,
): Verdict | undefined {
  const { rule, program } = compiled;
  if (keywords.length > 0 && !keywords.some((keyword) => seen[keyword])) return undefined;
  // A literal ends where its automaton does; to walk it again would cost its length at each of its beginnings.
  const slots = rule.literal === undefined ? matchWithin(program, members, window) : [window.from, window.to];
  if (!slots) return undefined;
  const chosen =
    rule.secretGroup === undefined ? firstGroup(slots) : slots[2 * rule.secretGroup]! < 0 ? 0 : rule.secretGroup;
  const from = slots[2 * chosen]!;
  const to = slots[2 * chosen + 1]!;
  return from < to ? { from, to, end: slots[1]! } : undefined;
}

/**
 * How sure it is that what was found is a secret, as a level; `undefined` if it is none by all else that its rule says. What is no surer than its
 * `cover`, the level of what it would be united with, is `undefined` without a check.
 */
export function judge(
  { compiled, allow }: EngineRule,
  window: Window,
  { from, to, end }: Verdict,
  cover = Infinity,
): number | undefined {
  const { rule } = compiled;
  const { text } = window;
  const secret = text.slice(from, to);
  if (rule.entropy !== undefined && entropy(secret) < rule.entropy) return undefined;
  const { check, confidence } = rule;
  if (!check && allow.length === 0 && typeof confidence !== 'function') return levelOf(confidence);
  // Slices cost next to nothing; members that cut them out when asked take many times as long to define.
  const match = text.slice(window.from, end);
  const before = text.slice(Math.max(0, window.from - LOOK_BACK), window.from);
  const line = text.slice(window.from - before.length + before.lastIndexOf('\n') + 1, end);
  const sighting: Sighting = { secret, match, line };
  const sure = (): number =>
    levelOf(typeof confidence === 'function' ? answer(() => confidence(sighting), 'format') : confidence);
  if (cover < Infinity && sure() >= cover) return undefined;
  if (check && !answer(() => check(secret, sighting), true)) return undefined;
  if (allow.some((test) => test.holds(sighting))) return undefined;
  return sure();
}

function levelOf(confidence: Confidence = 'format'): number {
  return Math.max(0, confidences.indexOf(confidence));
}

/** The first group that has something in it, else one that took part without, else the whole match. */
function firstGroup(slots: readonly number[]): number {
  let empty = 0;
  for (let group = 1; 2 * group < slots.length; group++) {
    if (slots[2 * group]! < slots[2 * group + 1]!) return group;
    if (slots[2 * group]! >= 0) empty = group;
  }
  return empty;
}

/** A function that throws has not said that it is no secret; what it threw may hold the secret, and goes nowhere. */
function answer<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}
