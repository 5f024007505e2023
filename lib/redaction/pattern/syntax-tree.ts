import type { CharSet } from './parse/char-set.ts';

/** A place between two characters that has to be so. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

/** A pattern, taken apart. */
export type Node =
  | { readonly type: 'set'; readonly set: CharSet }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | { readonly type: 'either'; readonly items: readonly Node[] }
  | { readonly type: 'repeat'; readonly item: Node; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly type: 'group'; readonly index: number; readonly item: Node }
  | { readonly type: 'assert'; readonly assertion: Assertion };

/** Nothing at all, which always matches. */
export const nothing: Node = { type: 'sequence', items: [] };

/** The text, letter for letter. */
export function literalTree(text: string): Node {
  return {
    type: 'sequence',
    items: Array.from({ length: text.length }, (_, at) => {
      const unit = text.charCodeAt(at);
      return { type: 'set', set: [unit, unit] };
    }),
  };
}
