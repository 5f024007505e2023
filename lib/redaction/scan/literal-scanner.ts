/** A literal to find, in lower case. */
export interface Literal<T> {
  readonly text: string;
  readonly found: T;
  /** The number of its first characters that may be released before the rest is known; `undefined` if it is never held. */
  readonly lead: number | undefined;
}

/** Finds many literals at once, in any case, character by character. */
export interface LiteralScanner<T> {
  /** The column of each of the 65,536 units; units outside all literals share the first. */
  readonly columns: Uint8Array | Uint16Array;
  /** The transitions: `goto[state + column]`. States are multiples of the width; 0 is the first. */
  readonly goto: Int32Array;
  readonly width: number;
  /** States from this one on have a finding. */
  readonly findsFrom: number;
  /** Returns the findings of a state, longest first, with the lengths. */
  found(state: number): readonly Found<T>[];
  /** Returns the number of last characters that may be the beginning of a secret. */
  held(state: number): number;
}

/** Builds the scanner (Aho-Corasick). */
export function literalScanner<T>(literals: readonly Literal<T>[]): LiteralScanner<T> {
  const { columns, width } = columnsOf(literals);
  const nodes = treeOf(literals, columns, width);
  const quiet = nodes.filter(({ ends }) => ends.length === 0);
  const order = [...quiet, ...nodes.filter(({ ends }) => ends.length > 0)];
  for (const [place, node] of order.entries()) node.state = place * width;
  const goto = new Int32Array(order.length * width);
  for (const { state, fallback, children } of nodes) {
    if (fallback) goto.copyWithin(state, fallback.state, fallback.state + width);
    for (const child of children) goto[state + child.column] = child.state;
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

interface Found<T> {
  readonly found: T;
  readonly length: number;
}

interface Node<T> {
  readonly place: number;
  /** The column of its last character. */
  readonly column: number;
  readonly children: Node<T>[];
  readonly ends: Found<T>[];
  held: number;
  /** The node of its longest suffix that also begins a literal; only the root has none. */
  fallback: Node<T> | undefined;
  state: number;
}

/** Returns the nodes of all literals, parents before children, each with the findings and held length of its fallback. */
function treeOf<T>(literals: readonly Literal<T>[], columns: LiteralScanner<T>['columns'], width: number): Node<T>[] {
  const edges = new Map<number, Node<T>>();
  let count = 0;
  const fresh = (column: number): Node<T> => ({
    place: count++,
    column,
    children: [],
    ends: [],
    held: 0,
    fallback: undefined,
    state: 0,
  });
  const root = fresh(0);
  const childOf = (node: Node<T>, column: number) => edges.get(node.place * width + column);
  for (const { text, found, lead } of literals) {
    let node = root;
    for (let at = 0; at < text.length; at++) {
      const column = columns[text.charCodeAt(at)]!;
      let child = childOf(node, column);
      if (!child) {
        child = fresh(column);
        edges.set(node.place * width + column, child);
        node.children.push(child);
      }
      node = child;
      if (lead !== undefined && at + 1 < text.length) node.held = Math.max(node.held, at + 1 - lead);
    }
    node.ends.push({ found, length: text.length });
  }
  const nodes = [root];
  for (const node of nodes) {
    for (const child of node.children) {
      let fallback = node.fallback;
      while (fallback && !childOf(fallback, child.column)) fallback = fallback.fallback;
      child.fallback = (fallback && childOf(fallback, child.column)) ?? root;
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
