import type { CharSet } from './parse/char-set.ts';

/** A condition on a place between two characters. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

/** A parsed pattern. */
export type Node =
  | { readonly type: 'set'; readonly set: CharSet }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | { readonly type: 'either'; readonly items: readonly Node[] }
  | { readonly type: 'repeat'; readonly item: Node; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly type: 'group'; readonly index: number; readonly item: Node }
  | { readonly type: 'assert'; readonly assertion: Assertion };

/** An empty sequence, which always matches. */
export const nothing: Node = { type: 'sequence', items: [] };

/** Returns a pattern for the exact text. */
export function literalTree(text: string): Node {
  return {
    type: 'sequence',
    items: Array.from({ length: text.length }, (_, at) => {
      const unit = text.charCodeAt(at);
      return { type: 'set', set: [unit, unit] };
    }),
  };
}
