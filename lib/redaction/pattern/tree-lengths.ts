import type { CharSet } from './parse/char-set.ts';
import { contains, unite } from './parse/char-set.ts';
import type { Node } from './syntax-tree.ts';

/** Returns the minimum length of a match. */
export function shortest(node: Node): number {
  return lengthOf(node, Math.min, ({ min }) => min);
}

/** Returns the maximum length of a match; `Infinity` if it is unbounded. */
export function longest(node: Node): number {
  return lengthOf(node, Math.max, ({ max }) => max);
}

function lengthOf(
  node: Node,
  choose: (...lengths: number[]) => number,
  times: (repeat: Node & { type: 'repeat' }) => number,
): number {
  const inner = (item: Node): number => lengthOf(item, choose, times);
  switch (node.type) {
    case 'set':
      return 1;
    case 'assert':
      return 0;
    case 'group':
      return inner(node.item);
    case 'repeat': {
      const count = times(node);
      const one = count === 0 ? 0 : inner(node.item);
      return one === 0 ? 0 : count * one;
    }
    case 'sequence':
      return node.items.reduce((sum, item) => sum + inner(item), 0);
    case 'either':
      return choose(...node.items.map(inner));
  }
}

/** Returns every character that a match may contain. */
function lettersIn(node: Node): CharSet {
  switch (node.type) {
    case 'set':
      return node.set;
    case 'assert':
      return [];
    case 'group':
    case 'repeat':
      return lettersIn(node.item);
    default:
      return unite(...node.items.map(lettersIn));
  }
}

/** No word of a language is this long: a repeated part with such a run is not a sentence. */
const LONG_RUN = 20;

/** Returns whether a part may match whole sentences: letters and spaces, or letters and line ends, for more than `most` characters. */
export function hasLongProse(node: Node, most: number): boolean {
  switch (node.type) {
    case 'set':
    case 'assert':
      return false;
    case 'group':
      return hasLongProse(node.item, most);
    case 'repeat':
      return (
        (longest(node) > most && isProse(lettersIn(node.item)) && !needsLongRun(node.item)) ||
        hasLongProse(node.item, most)
      );
    default:
      return node.items.some((item) => hasLongProse(item, most));
  }
}

/** Returns whether every pass has a run of characters in which no sentence could continue. */
function needsLongRun(node: Node): boolean {
  if (node.type === 'group') return needsLongRun(node.item);
  if (node.type === 'sequence') return node.items.some(needsLongRun);
  if (node.type === 'either') return node.items.every(needsLongRun);
  return node.type === 'repeat' && node.min >= LONG_RUN && node.item.type === 'set' && !isProse(node.item.set);
}

function isProse(set: CharSet): boolean {
  return contains(set, 101) && (contains(set, 32) || contains(set, 10));
}
