import type { EngineRule } from '../compile/engine-rule.ts';
import type { Sighting } from '../compile/sighting.ts';
import { type Confidence, confidences } from '../confidence.ts';
import { matchWithin, type Window } from '../pattern/match-within.ts';
import { entropy } from './entropy.ts';

/** The number of characters of the line that are read before a match. */
export const LOOK_BACK = 256;

/** The place of the secret in the text of the window, and the end of the match. */
export interface Verdict {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** Finds the match that an automaton reported, and the place of its secret; `undefined` if there is none. */
export function findSecret(
  { compiled, keywords, members }: EngineRule,
  window: Window,
  seen: Uint8Array,
): Verdict | undefined {
  const { rule, program } = compiled;
  if (keywords.length > 0 && !keywords.some((keyword) => seen[keyword])) return undefined;
  // A literal ends with its automaton; matching it again would cost its length at each of its beginnings.
  const slots = rule.literal === undefined ? matchWithin(program, members, window) : [window.from, window.to];
  if (!slots) return undefined;
  const chosen =
    rule.secretGroup === undefined ? firstGroup(slots) : slots[2 * rule.secretGroup]! < 0 ? 0 : rule.secretGroup;
  const from = slots[2 * chosen]!;
  const to = slots[2 * chosen + 1]!;
  return from < to ? { from, to, end: slots[1]! } : undefined;
}

/**
 * Returns the confidence of a finding as a level; `undefined` if the other fields of its rule exclude it. `cover` is the level of the region that it would
 * join. Returns `undefined` without a check if the finding is not surer.
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
  // Slices are nearly free; fields that create them on demand take many times as long to define.
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

/** Returns the first non-empty group, otherwise the first empty one that took part, otherwise the whole match. */
function firstGroup(slots: readonly number[]): number {
  let empty = 0;
  for (let group = 1; 2 * group < slots.length; group++) {
    if (slots[2 * group]! < slots[2 * group + 1]!) return group;
    if (slots[2 * group]! >= 0) empty = group;
  }
  return empty;
}

/** A function that throws does not exclude a secret. Its error may contain the secret and is dropped. */
function answer<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}
