import { type Node, nothing } from './syntax-tree.ts';

/**
 * Returns the pattern without its optional leading characters (`[\w.-]{0,50}?`). They only move the beginning of the match, and every place in a word would be
 * tried. The content of group `kept` stays, because it may be the secret.
 */
export function trimLead(node: Node, kept: (index: number) => boolean): Node {
  switch (node.type) {
    case 'repeat':
      return node.min === 0 && node.max > 1 && node.item.type === 'set' ? nothing : node;
    case 'group':
      return kept(node.index) ? node : { ...node, item: trimLead(node.item, kept) };
    case 'either':
      return { ...node, items: node.items.map((item) => trimLead(item, kept)) };
    case 'sequence': {
      const [first, ...rest] = node.items;
      if (!first) return node;
      const trimmed = trimLead(first, kept);
      if (trimmed === nothing) return trimLead({ type: 'sequence', items: rest }, kept);
      return { type: 'sequence', items: [trimmed, ...rest] };
    }
    default:
      return node;
  }
}
