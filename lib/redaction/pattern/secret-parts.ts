import type { Member } from './automaton.ts';
import { Op, type Program } from './program.ts';

/** Returns the characters of a match that may be secret: those of the group, or all if a match may omit every group. */
export function secretParts(program: Program, secretGroup: number | undefined): Member {
  const { ops, to, arg, entry } = program;
  const groups = secretGroup === undefined ? allGroups(program) : secretGroup === 0 ? [] : [secretGroup];
  const opens = new Set(groups.map((group) => 2 * group));
  const closes = new Set(groups.map((group) => 2 * group + 1));
  const everything =
    groups.length === 0 || reach(program, [entry], (pc) => ops[pc] === Op.save && opens.has(arg[pc]!)).matches;
  if (everything) {
    const all = new Uint8Array(ops.length).fill(1);
    return { program, held: all, within: all };
  }
  const heads = (slots: ReadonlySet<number>): number[] => {
    const found: number[] = [];
    for (let pc = 0; pc < ops.length; pc++) if (ops[pc] === Op.save && slots.has(arg[pc]!)) found.push(to[pc]!);
    return found;
  };
  const within = reach(program, heads(opens), (pc) => ops[pc] === Op.save && closes.has(arg[pc]!)).seen;
  const held = reach(program, heads(opens), () => false).seen;
  return { program, held, within };
}

function allGroups({ groups }: Program): number[] {
  return Array.from({ length: groups - 1 }, (_, k) => k + 1);
}

/** Returns every instruction that is reachable without passing one that stops, and whether the end is among them. */
function reach({ ops, to, arg }: Program, from: readonly number[], stops: (pc: number) => boolean) {
  const seen = new Uint8Array(ops.length);
  const stack = [...from];
  let matches = false;
  while (stack.length > 0) {
    const pc = stack.pop()!;
    if (seen[pc] || stops(pc)) continue;
    seen[pc] = 1;
    if (ops[pc] === Op.match) {
      matches = true;
      continue;
    }
    stack.push(to[pc]!);
    if (ops[pc] === Op.split) stack.push(arg[pc]!);
  }
  return { seen, matches };
}
