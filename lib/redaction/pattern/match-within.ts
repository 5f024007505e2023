import { holds } from './holds.ts';
import { Op, type Program } from './program.ts';

/** A piece of text that a program is matched in, and what stands around it. */
export interface Window {
  /** The class of a unit, in the alphabet of the program. */
  readonly classOf: Uint8Array | Uint16Array;
  readonly kinds: Uint8Array;
  readonly text: string;
  /** Where the match begins. */
  readonly from: number;
  /** No unit from here on may be part of the match. */
  readonly to: number;
  /** The kinds of what stands before `from` and at `to`. */
  readonly before: number;
  readonly after: number;
}

/**
 * The match that begins exactly where the window does, as a backtracking matcher would find it: two places to a group, -1 for a group that
 * took no part. No place is tried twice with the same instruction, so its time is bounded by the product of both.
 */
export function matchWithin(program: Program, members: readonly Uint8Array[], window: Window): number[] | undefined {
  const { ops, to, arg } = program;
  const { text, from, classOf, kinds } = window;
  const splits = splitNumbers(program);
  const width = window.to - from + 1;
  const size = ((splits.count * width) >>> 5) + 1;
  if (tried.length < size) tried = new Uint32Array(2 * size);
  else tried.fill(0, 0, size);
  const slots = new Array<number>(2 * program.groups).fill(-1);
  let top = 0;
  const push = (first: number, second: number): void => {
    if (top === stack.length) stack = larger(stack);
    stack[top++] = first;
    stack[top++] = second;
  };
  const kindAt = (at: number) =>
    at < from ? window.before : at >= window.to ? window.after : kinds[classOf[text.charCodeAt(at)]!]!;
  let pc = program.entry;
  let at = from;
  for (;;) {
    let failed = false;
    switch (ops[pc]) {
      case Op.char:
        if (at < window.to && members[arg[pc]!]![classOf[text.charCodeAt(at)]!]) at++;
        else failed = true;
        break;
      case Op.split: {
        const bit = splits.numbers[pc]! * width + (at - from);
        if ((tried[bit >>> 5]! >>> (bit & 31)) & 1) failed = true;
        else {
          tried[bit >>> 5]! |= 1 << (bit & 31);
          push(arg[pc]!, at);
        }
        break;
      }
      case Op.save:
        push(-1 - arg[pc]!, slots[arg[pc]!]!);
        slots[arg[pc]!] = at;
        break;
      case Op.assert:
        failed = !holds(arg[pc]!, kindAt(at - 1), kindAt(at));
        break;
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

/** Which split has been tried where, as bits; made once, and larger if need be. */
let tried = new Uint32Array(1024);

/** What is left to try, in pairs: where to go on, and at which place; or, with a negative first, which slot to set back, and to what. */
let stack = new Int32Array(1024);

function larger(full: Int32Array): Int32Array<ArrayBuffer> {
  const room = new Int32Array(2 * full.length);
  room.set(full);
  return room;
}

const numbered = new WeakMap<Program, { readonly numbers: Int32Array; readonly count: number }>();

/** Splits, numbered: only they need to be remembered, because every way back to an instruction leads through one. */
function splitNumbers(program: Program): { readonly numbers: Int32Array; readonly count: number } {
  const known = numbered.get(program);
  if (known) return known;
  let count = 0;
  const numbers = Int32Array.from(program.ops, (op) => (op === Op.split ? count++ : -1));
  const fresh = { numbers, count };
  numbered.set(program, fresh);
  return fresh;
}
