import { type CharSet, contains, unite } from './parse/char-set.ts';
import type { Node } from './syntax-tree.ts';

/** Invisible characters: zero-width spaces and joiners, the byte order mark, the soft hyphen, marks of direction, selectors of a variant. */
const UNSEEN: CharSet = [
  ...[0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x180b, 0x180e, 0x200b, 0x200f],
  ...[0x202a, 0x202e, 0x2060, 0x206f, 0xfe00, 0xfe0f, 0xfeff, 0xfeff],
];
const BREAK = unite(UNSEEN, [10, 10, 13, 13]);
const INDENT = unite(BREAK, [9, 9, 32, 32]);

/** From this length on, a run is a token, not a word. The same number of its characters precede a break. */
const LEAST_RUN = 12;
const FIRST = 4;

/** Nothing, or invisible characters and the end of a line with the indentation of the next. */
const GAP: Node = {
  type: 'repeat',
  item: {
    type: 'sequence',
    items: [
      { type: 'set', set: BREAK },
      { type: 'repeat', item: { type: 'set', set: INDENT }, min: 0, max: Infinity, lazy: false },
    ],
  },
  min: 0,
  max: 1,
  lazy: false,
};

/**
 * Returns the pattern with its long runs broken: they may contain invisible characters and, until a run is complete, line ends. Text in the line after a
 * complete run is not part of it.
 */
export function wrappedTree(node: Node): Node {
  switch (node.type) {
    case 'set':
    case 'assert':
      return node;
    case 'group':
      return { ...node, item: wrappedTree(node.item) };
    case 'repeat':
      return node.item.type === 'set' && node.min >= LEAST_RUN && isPlain(node.item.set)
        ? broken(node.item.set, node)
        : { ...node, item: wrappedTree(node.item) };
    default:
      return { ...node, items: node.items.map(wrappedTree) };
  }
}

function broken(set: CharSet, { min, max, lazy }: Node & { type: 'repeat' }): Node {
  const one: Node = { type: 'set', set };
  const next: Node = { type: 'sequence', items: [GAP, one] };
  const unseen: Node = { type: 'repeat', item: { type: 'set', set: UNSEEN }, min: 0, max: 2, lazy: false };
  const items = Array.from({ length: min }, (_, k) =>
    k < FIRST ? { type: 'sequence' as const, items: [unseen, one] } : next,
  );
  const rest: Node = { type: 'set', set: unite(set, UNSEEN) };
  return { type: 'sequence', items: [...items, { type: 'repeat', item: rest, min: 0, max: max - min, lazy }] };
}

/** Returns whether the set contains none of the characters of the gap. */
function isPlain(set: CharSet): boolean {
  return ![9, 10, 13, 32, 0x200b].some((unit) => contains(set, unit));
}
