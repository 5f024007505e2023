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
  /** Returns the next state; 0 is the first. */
  next(state: number, column: number): number;
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
  const { order, childOf, fallback, held, ends } = treeOf(literals, columns);
  const quiet = order.filter((node) => !ends.has(node));
  const byState = [...quiet, ...order.filter((node) => ends.has(node))];
  // States are multiples of the width.
  const stateOf = new Int32Array(order.length);
  byState.forEach((node, place) => {
    stateOf[node] = place * width;
  });
  /** The known transitions plus 1. They are computed on first use, because a text reaches few states. */
  const goto = new Int32Array(order.length * width);
  const learn = (state: number, column: number): number => {
    let node = byState[state / width]!;
    let child = childOf(node, column);
    while (child === 0 && node !== 0) {
      node = fallback[node]!;
      child = childOf(node, column);
    }
    goto[state + column] = stateOf[child]! + 1;
    return stateOf[child]!;
  };
  return {
    columns,
    next(state, column) {
      const known = goto[state + column]!;
      return known === 0 ? learn(state, column) : known - 1;
    },
    findsFrom: quiet.length * width,
    found: (state) => ends.get(byState[state / width]!) ?? [],
    held: (state) => held[byState[state / width]!]!,
  };
}

interface Found<T> {
  readonly found: T;
  readonly length: number;
}

/** Nodes by number: the root is 0. They are columns of numbers, because a process creates thousands of them before its first text. */
interface Tree<T> {
  /** The nodes, parents before children. */
  readonly order: readonly number[];
  /** Returns the child whose last character has this column, or 0. */
  childOf(node: number, wanted: number): number;
  /** The node of its longest suffix that also begins a literal. */
  readonly fallback: Int32Array;
  readonly held: Int32Array;
  readonly ends: ReadonlyMap<number, readonly Found<T>[]>;
}

/** Returns the nodes of all literals, each with the findings and held length of its fallback. */
function treeOf<T>(literals: readonly Literal<T>[], columns: LiteralScanner<T>['columns']): Tree<T> {
  const most = 1 + literals.reduce((sum, { text }) => sum + text.length, 0);
  // The first child, and the next one of the same parent; 0 after the last.
  const [first, sibling] = [new Int32Array(most), new Int32Array(most)];
  const [fallback, held] = [new Int32Array(most), new Int32Array(most)];
  const column = new Uint16Array(most);
  const ends = new Map<number, Found<T>[]>();
  let count = 1;
  const childOf = (node: number, wanted: number): number => {
    let child = first[node]!;
    while (child !== 0 && column[child] !== wanted) child = sibling[child]!;
    return child;
  };
  for (const { text, found, lead } of literals) {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const wanted = columns[text.charCodeAt(at)]!;
      let child = childOf(node, wanted);
      if (child === 0) {
        child = count++;
        column[child] = wanted;
        sibling[child] = first[node]!;
        first[node] = child;
      }
      node = child;
      if (lead !== undefined && at + 1 < text.length) held[node] = Math.max(held[node]!, at + 1 - lead);
    }
    const own = ends.get(node);
    if (own) own.push({ found, length: text.length });
    else ends.set(node, [{ found, length: text.length }]);
  }
  const order = [0];
  for (const node of order) {
    for (let child = first[node]!; child !== 0; child = sibling[child]!) {
      let shorter = node;
      while (shorter !== 0 && fallback[child] === 0) {
        shorter = fallback[shorter]!;
        fallback[child] = childOf(shorter, column[child]!);
      }
      const suffix = fallback[child]!;
      const inherited = ends.get(suffix);
      if (inherited) ends.set(child, [...(ends.get(child) ?? []), ...inherited]);
      held[child] = Math.max(held[child]!, held[suffix]!);
      order.push(child);
    }
  }
  return { order, childOf, fallback, held, ends };
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
