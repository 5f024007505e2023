import { Op, type Program } from '../../pattern/program.ts';
import type { CompiledRule } from '../compiled-rule.ts';
import { BYTES_OF_HEADER, Mark, type RuleTables } from './rule-tables.ts';

/** Writes compiled rules as bytes for `unpackRules`. Throws a `RangeError` if a program needs more than 16 bits. */
export function packRules(compiled: readonly CompiledRule[]): Uint8Array<ArrayBuffer> {
  const sets = new Numbering<readonly number[]>((set) => set.join());
  const programs = new Numbering<Program>();
  const members = new Map(compiled.map(({ program, member }) => [program, member]));
  const rules = compiled.map(({ program, allow, anchors, lead, keywords, maxLength }) => ({
    program: programs.placeOf(program),
    allow: allow.map((one) => ({ ...one, program: one.program ? programs.placeOf(one.program) : null })),
    anchors,
    lead,
    keywords,
    maxLength,
  }));
  const tables: RuleTables = {
    programs: programs.all.map(({ ops, entry, groups, sets: own }) => ({
      length: ops.length,
      entry,
      groups,
      sets: own.map((set) => sets.placeOf(set)),
    })),
    sets: sets.all,
    rules,
  };
  const header = new TextEncoder().encode(JSON.stringify(tables));
  const count = programs.all.reduce((sum, { ops }) => sum + ops.length, 0);
  const to = new Int16Array(count);
  const arg = new Int16Array(count);
  const ops = new Uint8Array(count);
  const marks = new Uint8Array(count);
  let at = 0;
  for (const program of programs.all) {
    const member = members.get(program);
    program.ops.forEach((op, pc) => {
      to[at] = narrow(program.to[pc]! - pc);
      arg[at] = narrow(op === Op.split ? program.arg[pc]! - pc : program.arg[pc]!);
      ops[at] = op;
      marks[at++] = (member?.held[pc] ? Mark.held : 0) | (member?.within[pc] ? Mark.within : 0);
    });
  }
  const parts = [header, to, arg, ops, marks].map(({ buffer, byteLength }) => new Uint8Array(buffer, 0, byteLength));
  const bytes = new Uint8Array(BYTES_OF_HEADER + parts.reduce((sum, part) => sum + part.length, 0));
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  let end = BYTES_OF_HEADER;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

function narrow(value: number): number {
  if (value !== (value << 16) >> 16) throw new RangeError(`${value} has more than 16 bits`);
  return value;
}

/** Numbers distinct values in the order of their first occurrence. */
class Numbering<T> {
  readonly all: T[] = [];
  private readonly places = new Map<unknown, number>();
  private readonly keyOf: (thing: T) => unknown;

  constructor(keyOf: (thing: T) => unknown = (thing) => thing) {
    this.keyOf = keyOf;
  }

  placeOf(thing: T): number {
    const key = this.keyOf(thing);
    const place = this.places.get(key) ?? this.all.push(thing) - 1;
    this.places.set(key, place);
    return place;
  }
}
