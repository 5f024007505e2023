/** A literal to be found, in lower case. */
export interface Literal<T> {
  readonly text: string;
  readonly found: T;
  /** How many of its first characters may be shown before it is known whether the rest comes; `undefined` if it is never held. */
  readonly lead: number | undefined;
}

/** Finds all of many literals at once, in any case of their letters; walked character by character. */
export interface LiteralScanner<T> {
  /** The column of each of the 65,536 units; those that no literal holds share the first. */
  readonly columns: Uint8Array | Uint16Array;
  /** Where each state leads: `goto[state + column]`. States are multiples of the width; 0 is the first. */
  readonly goto: Int32Array;
  readonly width: number;
  /** States from this one on have found something. */
  readonly findsFrom: number;
  /** What a state has found, longest first, with the lengths. */
  found(state: number): readonly { readonly found: T; readonly length: number }[];
  /** How many of the last characters may be the beginning of a secret. */
  held(state: number): number;
}

interface Node<T> {
  readonly children: Map<number, Node<T>>;
  readonly depth: number;
  readonly ends: { readonly found: T; readonly length: number }[];
  held: number;
  fallback: Node<T> | undefined;
  id: number;
}

/** Builds the scanner (Aho and Corasick's). */
export function literalScanner<T>(literals: readonly Literal<T>[]): LiteralScanner<T> {
  const { columns, width } = columnsOf(literals);
  const fresh = (depth: number): Node<T> => ({
    children: new Map(),
    depth,
    ends: [],
    held: 0,
    fallback: undefined,
    id: 0,
  });
  const root = fresh(0);
  for (const { text, found, lead } of literals) {
    let node = root;
    for (let at = 0; at < text.length; at++) {
      const column = columns[text.charCodeAt(at)]!;
      const child = node.children.get(column) ?? fresh(node.depth + 1);
      node.children.set(column, child);
      node = child;
      if (lead !== undefined && at + 1 < text.length) node.held = Math.max(node.held, node.depth - lead);
    }
    node.ends.push({ found, length: text.length });
  }
  const nodes = breadthFirst(root);
  const quiet = nodes.filter((node) => node.ends.length === 0);
  const order = [...quiet, ...nodes.filter((node) => node.ends.length > 0)];
  order.forEach((node, k) => {
    node.id = k * width;
  });
  const goto = new Int32Array(order.length * width);
  for (const node of nodes) {
    for (let column = 0; column < width; column++) {
      const child = node.children.get(column);
      const instead = node.fallback ? goto[node.fallback.id + column]! : 0;
      goto[node.id + column] = child ? child.id : instead;
    }
  }
  return {
    columns,
    goto,
    width,
    findsFrom: quiet.length * width,
    found: (state) => order[state / width]!.ends,
    held: (state) => order[state / width]!.held,
  };
}

/** Gives every node where it falls back to, and what that one finds; parents come before children. */
function breadthFirst<T>(root: Node<T>): Node<T>[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const [column, child] of node.children) {
      let fallback = node.fallback;
      while (fallback && !fallback.children.has(column)) fallback = fallback.fallback;
      child.fallback = fallback?.children.get(column) ?? root;
      child.ends.push(...child.fallback.ends);
      child.held = Math.max(child.held, child.fallback.held);
      nodes.push(child);
    }
  }
  return nodes;
}

function columnsOf(literals: readonly Literal<unknown>[]) {
  const units = new Set<number>();
  for (const { text } of literals) for (let at = 0; at < text.length; at++) units.add(text.charCodeAt(at));
  const columns = units.size < 256 ? new Uint8Array(65_536) : new Uint16Array(65_536);
  let next = 1;
  for (const unit of units) columns[unit] = next++;
  for (let upper = 65; upper <= 90; upper++) columns[upper] = columns[upper + 32]!;
  for (const unit of units) {
    const upper = String.fromCharCode(unit).toUpperCase();
    const other = upper.length === 1 ? upper.charCodeAt(0) : 0;
    if (other > 127 && columns[other] === 0) columns[other] = columns[unit]!;
  }
  return { columns, width: next };
}
