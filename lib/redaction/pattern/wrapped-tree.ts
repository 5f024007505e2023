import { type CharSet, contains, unite } from './parse/char-set.ts';
import type { Node } from './syntax-tree.ts';

/** Characters that nobody sees: zero-width spaces and joiners, the mark of byte order, the soft hyphen. */
const UNSEEN: CharSet = [
  ...[0xad, 0xad, 0x34f, 0x34f, 0x180e, 0x180e, 0x200b, 0x200f],
  ...[0x202a, 0x202e, 0x2060, 0x2064, 0xfeff, 0xfeff],
];
const BREAK = unite(UNSEEN, [10, 10, 13, 13]);
const INDENT = unite(BREAK, [9, 9, 32, 32]);

/** From this length on a run is a token's, not a word's; and so many of its characters come before it may be broken. */
const LEAST_RUN = 12;
const FIRST = 4;

/** Nothing, or characters that nobody sees and the end of a line with what indents the next. */
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
 * The pattern with its long runs broken: unseen characters may stand in them, and, as long as a run is not complete, the ends of lines. What
 * may follow a complete run in the next line is something else.
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

/** Whether none of what may stand in between is in the set itself. */
function isPlain(set: CharSet): boolean {
  return ![9, 10, 13, 32, 0x200b].some((unit) => contains(set, unit));
}
