import { alphabetOf } from '../pattern/alphabet.ts';
import { automatonOf, type State } from '../pattern/automaton.ts';
import type { Node } from '../pattern/syntax-tree.ts';
import { hasLongProse, longest, shortest } from '../pattern/tree-lengths.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { RuleError } from './rule-error.ts';

/** The maximum number of candidates of a rule that are followed at a time. */
export const MOST_CANDIDATES = 8;
/** The maximum number of characters between the beginning of a match and its secret. */
export const MOST_CONTEXT = 512;
/** The maximum length of a part that may consist of any text. */
const MOST_PROSE = 128;
const RUN = 64;

/** Rejects a pattern that would hold back whole sentences, follow a candidate from every character, or never match. Throws a `RuleError`. */
export function vetPattern({ rule, program, member, anchors, maxLength, lead }: CompiledRule, tree: Node): void {
  if (longest(tree) === 0) throw new RuleError('its pattern matches nothing but places', 'let it match characters');
  if (shortest(tree) === 0) throw new RuleError('its pattern matches the empty text', 'make some part of it needed');
  if (shortest(tree) - lead > maxLength) {
    throw new RuleError('its secret is longer than its maxLength', 'raise maxLength');
  }
  if (lead > MOST_CONTEXT)
    throw new RuleError('its secret is too far from the beginning', 'begin closer to the secret');
  if (!rule.swallow && hasLongProse(tree, MOST_PROSE)) {
    throw new RuleError(
      'a part of its pattern goes on through whole sentences, which a stream would have to hold back',
      `bound the gap ({0,${MOST_PROSE}} at most), or say what it consists of without spaces; for a secret that may be of any length, swallow`,
    );
  }
  if (anchors.length > 0 || rule.literal !== undefined) return;
  const alphabet = alphabetOf([program.sets]);
  const automaton = automatonOf([member], alphabet);
  for (let unitClass = 0; unitClass < alphabet.size; unitClass++) {
    let live: State[] = [];
    for (let k = 0; k < RUN; k++) {
      const before = k === 0 ? 0 : alphabet.kinds[unitClass]!;
      const stepped = [...live, automaton.start(before)].map((state) => automaton.step(state, unitClass));
      const next = [...new Set(stepped)].filter((state) => state.alive !== 0);
      // From the second character on, each step depends only on the states: once they stay the same, they never change again.
      if (k > 0 && next.length === live.length && next.every((state, at) => state === live[at])) break;
      live = next;
    }
    if (live.length > MOST_CANDIDATES) {
      throw new RuleError(
        'its pattern may start at every character of a word',
        'begin with a literal, with \\b, or with the text before it',
      );
    }
  }
}
