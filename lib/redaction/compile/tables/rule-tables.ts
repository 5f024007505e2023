import type { CompiledAllowance, CompiledRule } from '../compiled-rule.ts';

/**
 * Compiled rules as data: all results of compilation, in the order of the rules. The instructions of all programs follow in four columns: `to` and `arg` with
 * 16 bits (places are relative to the instruction), `op` and `Mark` with 8.
 */
export interface RuleTables {
  /** Distinct sets of UTF-16 units. */
  readonly sets: readonly (readonly number[])[];
  readonly programs: readonly PackedProgram[];
  readonly rules: readonly PackedRule[];
}

export interface PackedProgram {
  /** The number of instructions. */
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
  /** A place in `programs`; `null` without a pattern. */
  readonly program: number | null;
}

/** The first bytes: the length of the tables as JSON. */
export const BYTES_OF_HEADER = 4;

/** The bits of an instruction from `Member`. */
export const Mark = { held: 1, within: 2 } as const;
