import type { AllowanceTest } from './allowance-test.ts';
import type { CompiledRule } from './compiled-rule.ts';

/** A rule in its redactor. */
export interface EngineRule {
  readonly compiled: CompiledRule;
  /** Its place among all: where secrets overlap, the first names the marker. */
  readonly order: number;
  /** Fields of the alphabet for each set of its program, made when they are first asked for. */
  readonly members: readonly Uint8Array[];
  /** Places of its keywords among all keywords; it counts only if one has been seen. */
  readonly keywords: readonly number[];
  readonly allow: readonly AllowanceTest[];
}
