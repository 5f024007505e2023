import type { CompiledAllowance, CompiledRule } from '../compiled-rule.ts';

/**
 * Compiled rules as data: everything that compiling finds out, in the order of the rules. Behind it stand the instructions of all programs,
 * in four columns: `to` and `arg` with 16 bits (places are relative to the instruction), `op` and `Mark` with 8.
 */
export interface RuleTables {
  /** Sets of UTF-16 units, each once. */
  readonly sets: readonly (readonly number[])[];
  readonly programs: readonly PackedProgram[];
  readonly rules: readonly PackedRule[];
}

export interface PackedProgram {
  /** How many instructions it has. */
  readonly length: number;
  readonly entry: number;
  readonly groups: number;
  /** Places in `sets`. */
  readonly sets: readonly number[];
}

export interface PackedRule extends Pick<CompiledRule, 'anchors' | 'lead' | 'keywords' | 'maxLength'> {
  /** A place in `programs`. */
  readonly program: number;
  readonly allow: readonly PackedAllowance[];
}

export interface PackedAllowance extends Omit<CompiledAllowance, 'program'> {
  /** A place in `programs`; `null` if it has no pattern. */
  readonly program: number | null;
}

/** What comes first: how many bytes the tables have as JSON. */
export const BYTES_OF_HEADER = 4;

/** What `Member` says of an instruction, as bits. */
export const Mark = { held: 1, within: 2 } as const;
