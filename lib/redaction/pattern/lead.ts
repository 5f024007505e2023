import type { Member } from './automaton.ts';
import { Op } from './program.ts';

/** Returns the minimum number of characters consumed before one that may be secret. */
export function leadOf({ program, held }: Member): number {
  const { ops, to, arg, entry } = program;
  const seen = new Uint8Array(ops.length);
  let level = [entry];
  for (let lead = 0; level.length > 0; lead++) {
    const next: number[] = [];
    const stack = level;
    while (stack.length > 0) {
      const pc = stack.pop()!;
      if (seen[pc]) continue;
      seen[pc] = 1;
      if (ops[pc] === Op.match) continue;
      if (ops[pc] === Op.char && held[pc]) return lead;
      if (ops[pc] === Op.char) next.push(to[pc]!);
      else stack.push(to[pc]!);
      if (ops[pc] === Op.split) stack.push(arg[pc]!);
    }
    level = next;
  }
  return 0;
}
