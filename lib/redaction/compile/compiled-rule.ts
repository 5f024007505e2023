import type { Member } from '../pattern/automaton.ts';
import type { Program } from '../pattern/program.ts';
import type { Rule } from './rule.ts';

/** A compiled rule that holds in a stream. */
export interface CompiledRule {
  readonly rule: Rule;
  /** The label of its marker. */
  readonly label: string;
  readonly program: Program;
  readonly member: Member;
  /** In lower case; empty if a match may begin with any text. */
  readonly anchors: readonly string[];
  /** The minimum number of characters of a match before its secret. */
  readonly lead: number;
  readonly keywords: readonly string[];
  readonly maxLength: number;
  readonly allow: readonly CompiledAllowance[];
}

/** An allowance with a parsed pattern. */
export interface CompiledAllowance {
  /** Finds the pattern anywhere in its input. */
  readonly program: Program | undefined;
  readonly stopWords: readonly string[];
  readonly target: 'secret' | 'match' | 'line';
}

/** A rule that does not hold in a stream. */
export interface RefusedRule {
  readonly id: string;
  readonly reason: string;
  /** The correct form. */
  readonly fix: string;
}
