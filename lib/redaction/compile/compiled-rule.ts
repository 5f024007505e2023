import type { Member } from '../pattern/automaton.ts';
import type { Program } from '../pattern/program.ts';
import type { Rule } from './rule.ts';

/** A rule that holds in a stream, ready to be put into a redactor. */
export interface CompiledRule {
  readonly rule: Rule;
  /** What its marker says. */
  readonly label: string;
  readonly program: Program;
  readonly member: Member;
  /** Lower case; empty if a match may begin with anything. */
  readonly anchors: readonly string[];
  /** The fewest characters of a match that come before its secret. */
  readonly lead: number;
  readonly keywords: readonly string[];
  readonly maxLength: number;
  readonly allow: readonly CompiledAllowance[];
}

/** An allowance whose pattern has been taken apart. */
export interface CompiledAllowance {
  /** Finds the pattern anywhere in what it is walked over. */
  readonly program: Program | undefined;
  readonly stopWords: readonly string[];
  readonly target: 'secret' | 'match' | 'line';
}

/** A rule that does not hold in a stream. */
export interface RefusedRule {
  readonly id: string;
  readonly reason: string;
  /** What to write instead. */
  readonly wayOut: string;
}
