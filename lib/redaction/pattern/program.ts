import { RuleError } from '../compile/rule-error.ts';
import type { CharSet } from './parse/char-set.ts';
import type { Assertion, Node } from './syntax-tree.ts';

/** The operations of a program. */
export const Op = { char: 0, split: 1, save: 2, assert: 3, match: 4 } as const;

/** The order of the assertions in instructions. */
export const assertions: readonly Assertion[] = ['start', 'end', 'lineStart', 'lineEnd', 'word', 'notWord'];

/**
 * A pattern as instructions. `to` is the next instruction. `arg` depends on the operation. `char`: its place in `sets`; `split`: the next instruction if `to`
 * fails; `save`: the slot (two for each group); `assert`: the place in `assertions`.
 */
export interface Program {
  readonly ops: Uint8Array;
  readonly to: Int32Array;
  readonly arg: Int32Array;
  readonly sets: readonly CharSet[];
  readonly entry: number;
  /** The number of groups; the whole match is the first. */
  readonly groups: number;
}

const MOST_INSTRUCTIONS = 12_000;

/** Compiles a pattern to instructions. Throws a `RuleError` if there would be more than `most`. */
export function toProgram(tree: Node, groups: number, most = MOST_INSTRUCTIONS): Program {
  const ops: number[] = [];
  const to: number[] = [];
  const arg: number[] = [];
  const sets: CharSet[] = [];
  const places = new Map<CharSet, number>();
  const equal = new Map<string, number>();

  const add = (op: number, next: number, value: number): number => {
    if (ops.length >= most) {
      throw new RuleError('its repetitions are too many', 'say {n,} instead of a large upper bound, or lower it');
    }
    to.push(next);
    arg.push(value);
    return ops.push(op) - 1;
  };
  const placeOf = (set: CharSet): number => {
    const known = places.get(set);
    if (known !== undefined) return known;
    const key = set.join();
    const place = equal.get(key) ?? sets.push(set) - 1;
    equal.set(key, place);
    places.set(set, place);
    return place;
  };
  const branch = (first: number, second: number, lazy: boolean): number =>
    lazy ? add(Op.split, second, first) : add(Op.split, first, second);

  /** Writes the instructions of `node`, which continue at `next`. */
  const write = (node: Node, next: number): number => {
    switch (node.type) {
      case 'set':
        return add(Op.char, next, placeOf(node.set));
      case 'assert':
        return add(Op.assert, next, assertions.indexOf(node.assertion));
      case 'sequence':
        return node.items.reduceRight((after, item) => write(item, after), next);
      case 'either':
        return node.items.map((item) => write(item, next)).reduceRight((second, first) => add(Op.split, first, second));
      case 'group':
        return add(Op.save, write(node.item, add(Op.save, next, 2 * node.index + 1)), 2 * node.index);
      case 'repeat':
        return repeat(node, next);
    }
  };
  const repeat = (node: Node & { type: 'repeat' }, next: number): number => {
    let after = next;
    if (node.max === Infinity) {
      const loop = add(Op.split, next, next);
      const body = write(node.item, loop);
      if (node.lazy) arg[loop] = body;
      else to[loop] = body;
      after = loop;
    } else {
      for (let k = node.min; k < node.max; k++) after = branch(write(node.item, after), next, node.lazy);
    }
    for (let k = 0; k < node.min; k++) after = write(node.item, after);
    return after;
  };

  const end = add(Op.save, add(Op.match, 0, 0), 1);
  const entry = add(Op.save, write(tree, end), 0);
  return {
    ops: Uint8Array.from(ops),
    to: Int32Array.from(to),
    arg: Int32Array.from(arg),
    sets,
    entry,
    groups: groups + 1,
  };
}
