import { holds } from './holds.ts';
import { Op, type Program } from './program.ts';

/** The text in which a program is matched, and its surroundings. */
export interface Window {
  /** The class of a unit, in the alphabet of the program. */
  readonly classOf: Uint8Array | Uint16Array;
  readonly kinds: Uint8Array;
  readonly text: string;
  /** The beginning of the match. */
  readonly from: number;
  /** No unit from here on may be part of the match. */
  readonly to: number;
  /** The kinds of the characters before `from` and at `to`. */
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the match that begins exactly at the window, as a backtracking matcher would find it: two places for each group, -1 for a group that took no part.
 * No place is tried twice with the same instruction, so its time is bounded by the product of both.
 */
export function matchWithin(program: Program, members: readonly Uint8Array[], window: Window): number[] | undefined {
  const ready = readied(program, members);
  const { ops, to, arg, numbers } = ready;
  const { text, from, classOf, kinds, to: end, before, after } = window;
  const width = end - from + 1;
  const size = ((ready.count * width) >>> 5) + 1;
  if (tried.length < size) tried = new Uint32Array(2 * size);
  else tried.fill(0, 0, size);
  const slots = new Array<number>(2 * program.groups).fill(-1);
  let top = 0;
  let pc = program.entry;
  let at = from;
  for (;;) {
    let failed = false;
    switch (ops[pc]) {
      case Op.char:
        if (at < end && members[arg[pc]!]![classOf[text.charCodeAt(at)]!]) at++;
        else failed = true;
        break;
      case Op.split: {
        const bit = numbers[pc]! * width + (at - from);
        if ((tried[bit >>> 5]! >>> (bit & 31)) & 1) {
          failed = true;
          break;
        }
        tried[bit >>> 5]! |= 1 << (bit & 31);
        const unitClass = at < end ? classOf[text.charCodeAt(at)]! : -1;
        const second = arg[pc]!;
        const worth = mayBegin(ready, second, unitClass);
        if (!mayBegin(ready, to[pc]!, unitClass)) {
          if (worth) {
            pc = second;
            continue;
          }
          failed = true;
        } else if (worth) {
          if (top === stack.length) stack = larger(stack);
          stack[top++] = second;
          stack[top++] = at;
        }
        break;
      }
      case Op.save:
        if (top === stack.length) stack = larger(stack);
        stack[top++] = -1 - arg[pc]!;
        stack[top++] = slots[arg[pc]!]!;
        slots[arg[pc]!] = at;
        break;
      case Op.assert: {
        const left = at > from ? kinds[classOf[text.charCodeAt(at - 1)]!]! : before;
        failed = !holds(arg[pc]!, left, at < end ? kinds[classOf[text.charCodeAt(at)]!]! : after);
        break;
      }
      default:
        return slots;
    }
    if (!failed) {
      pc = to[pc]!;
      continue;
    }
    for (;;) {
      if (top === 0) return undefined;
      at = stack[--top]!;
      pc = stack[--top]!;
      if (pc >= 0) break;
      slots[-1 - pc] = at;
    }
  }
}

/** The tried splits for each place, as bits; allocated once, and enlarged if needed. */
let tried = new Uint32Array(1024);

/** Pairs still to try: an instruction and a place; or, if the first is negative, a slot to restore and its value. */
let stack = new Int32Array(1024);

function larger(full: Int32Array): Int32Array<ArrayBuffer> {
  const room = new Int32Array(2 * full.length);
  room.set(full);
  return room;
}

/** A program over an alphabet, in arrays for fast access. */
interface Ready {
  readonly ops: Uint8Array;
  readonly to: Int32Array;
  readonly arg: Int32Array;
  /** Numbers of the splits: only they must be recorded, because every loop to an instruction contains one. */
  readonly numbers: Int32Array;
  readonly count: number;
  readonly members: readonly Uint8Array[];
  /** The classes that may come next at an instruction, computed on first use. */
  readonly next: (Uint8Array | 'any' | undefined)[];
}

/** Returns whether the path from `pc` may consume a class, or ends without consuming; `-1` is the end of the window. */
function mayBegin(ready: Ready, pc: number, unitClass: number): boolean {
  const next = ready.next[pc] ?? nextOf(ready, pc);
  return next === 'any' || (unitClass >= 0 && next[unitClass] === 1);
}

function nextOf(ready: Ready, pc: number): Uint8Array | 'any' {
  const { ops, to, arg, members } = ready;
  const classes = new Uint8Array(members[0]?.length ?? 0);
  const seen = new Set<number>();
  const stack = [pc];
  let any = false;
  while (stack.length > 0) {
    const at = stack.pop()!;
    if (seen.has(at)) continue;
    seen.add(at);
    if (ops[at] === Op.match) any = true;
    else if (ops[at] === Op.char) {
      const set = members[arg[at]!]!;
      for (let k = 0; k < set.length; k++) classes[k]! |= set[k]!;
    } else stack.push(to[at]!);
    if (ops[at] === Op.split) stack.push(arg[at]!);
  }
  const next = any ? 'any' : classes;
  ready.next[pc] = next;
  return next;
}

const known = new WeakMap<readonly Uint8Array[], Ready>();

/** The prepared data of a program, by the members of its rule in its alphabet. */
function readied({ ops, to, arg }: Program, members: readonly Uint8Array[]): Ready {
  const old = known.get(members);
  if (old) return old;
  let count = 0;
  const numbers = Int32Array.from(ops, (op) => (op === Op.split ? count++ : -1));
  const ready: Ready = {
    ops,
    to,
    arg,
    numbers,
    count,
    members,
    next: new Array<undefined>(ops.length).fill(undefined),
  };
  known.set(members, ready);
  return ready;
}
