import type { EngineRule } from './engine-rule.ts';
import { entropy } from './entropy.ts';
import { matchWithin, type Window } from './pattern/match-within.ts';

/** How far back the line of a match is looked at. */
export const LOOK_BACK = 256;

/** Where the secret of a match stands in the text of the window. */
export interface Verdict {
  readonly from: number;
  readonly to: number;
}

/** Finds the match that an automaton has promised, and says where its secret is; `undefined` if it is none after all. */
export function judge(
  { compiled, keywords, allow, members }: EngineRule,
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
  if (from >= to) return undefined;
  const secret = window.text.slice(from, to);
  if (rule.entropy !== undefined && entropy(secret) < rule.entropy) return undefined;
  if (rule.check && !passes(rule.check, secret)) return undefined;
  if (allow.length > 0) {
    const { text } = window;
    const end = slots[1]!;
    const match = text.slice(window.from, end);
    const before = text.slice(Math.max(0, window.from - LOOK_BACK), window.from);
    const line = before.slice(before.lastIndexOf('\n') + 1) + match;
    const sighting = { secret, match, line };
    if (allow.some((test) => test.holds(sighting))) return undefined;
  }
  return { from, to };
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

/** A check that throws has not said that it is no secret; what it threw may hold the secret, and goes nowhere. */
function passes(check: (secret: string) => boolean, secret: string): boolean {
  try {
    return check(secret);
  } catch {
    return true;
  }
}
