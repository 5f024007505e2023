import type { AllowanceTest } from './allowance-test.ts';
import type { CompiledRule } from './compiled-rule.ts';

/** A rule of a redactor. */
export interface EngineRule {
  readonly compiled: CompiledRule;
  /** Its place among all rules: if secrets overlap, the first one names the marker. */
  readonly order: number;
  /** Arrays of the alphabet for each set of its program, created on first use. */
  readonly members: readonly Uint8Array[];
  /** Places of its keywords among all keywords; the rule counts only after one was found. */
  readonly keywords: readonly number[];
  readonly allow: readonly AllowanceTest[];
}
