import type { Member } from '../../pattern/automaton.ts';
import { Op, type Program } from '../../pattern/program.ts';
import type { CompiledRule } from '../compiled-rule.ts';
import type { Rule } from '../rule.ts';
import { BYTES_OF_HEADER, Mark, type PackedProgram, type RuleTables } from './rule-tables.ts';

/** Returns the compiled form of `rules`, the rules that `packRules` received, in the same order. */
export function unpackRules(bytes: Uint8Array, rules: readonly Rule[]): readonly CompiledRule[] {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const columns = BYTES_OF_HEADER + size;
  const tables: RuleTables = JSON.parse(new TextDecoder().decode(bytes.subarray(BYTES_OF_HEADER, columns)));
  const count = tables.programs.reduce((sum, { length }) => sum + length, 0);
  // 16-bit columns begin at an even place only in a buffer of their own.
  const wide = (place: number) => new Int16Array(new Uint8Array(bytes.subarray(place, place + 2 * count)).buffer);
  const code: Code = {
    to: wide(columns),
    arg: wide(columns + 2 * count),
    ops: bytes.subarray(columns + 4 * count, columns + 5 * count),
    marks: bytes.subarray(columns + 5 * count, columns + 6 * count),
  };
  let next = 0;
  const members = tables.programs.map((program) => {
    const from = next;
    next += program.length;
    return propertyOf(program, tables.sets, code, from);
  });
  return tables.rules.map(({ program, allow, ...rest }, place): CompiledRule => {
    const rule = rules[place]!;
    const member = members[program]!;
    return {
      ...rest,
      rule,
      label: rule.id,
      program: member.program,
      member,
      allow: allow.map((one) => ({
        ...one,
        program: one.program === null ? undefined : members[one.program]!.program,
      })),
    };
  });
}

/** The columns of all programs. */
interface Code {
  readonly to: Int16Array;
  readonly arg: Int16Array;
  readonly ops: Uint8Array;
  readonly marks: Uint8Array;
}

/** Returns the program whose instructions begin at `from`. Columns are unpacked on first use, because a process uses few programs. */
function propertyOf(packed: PackedProgram, allSets: RuleTables['sets'], code: Code, from: number): Member {
  const { length, entry, groups } = packed;
  const end = from + length;
  const ops = code.ops.subarray(from, end);
  const sets = packed.sets.map((set) => allSets[set]!);
  const marked = (mark: number) => code.marks.slice(from, end).map((marks) => (marks & mark ? 1 : 0));
  let to: Int32Array | undefined;
  let arg: Int32Array | undefined;
  let held: Uint8Array | undefined;
  let within: Uint8Array | undefined;
  const program: Program = {
    ops,
    sets,
    entry,
    groups,
    get to() {
      to ??= new Int32Array(code.to.subarray(from, end)).map((place, pc) => place + pc);
      return to;
    },
    get arg() {
      arg ??= new Int32Array(code.arg.subarray(from, end)).map((value, pc) =>
        ops[pc] === Op.split ? value + pc : value,
      );
      return arg;
    },
  };
  return {
    program,
    get held() {
      held ??= marked(Mark.held);
      return held;
    },
    get within() {
      within ??= marked(Mark.within);
      return within;
    },
  };
}
