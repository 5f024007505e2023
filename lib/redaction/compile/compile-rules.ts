import type { Program } from '../pattern/program.ts';
import { ownRules } from '../rules/own-rules.ts';
import { compileRule } from './compile-rule.ts';
import type { CompiledRule, RefusedRule } from './compiled-rule.ts';
import type { Rule } from './rule.ts';
import { RuleError } from './rule-error.ts';
import { readOwnTables } from './tables/own-tables.ts';

const own: ReadonlySet<Rule> = new Set(ownRules);

/** Own rules that are compiled: they never change, and nearly every redactor is made of them. */
let compiledOwn: Map<Rule, CompiledRule> | undefined;

function compileOwn(rule: Rule, programs: Map<string, Program>): CompiledRule {
  compiledOwn ??= new Map(readOwnTables(ownRules)?.map((compiled) => [compiled.rule, compiled]));
  const compiled = compiledOwn.get(rule) ?? compileRule(rule, programs, true);
  compiledOwn.set(rule, compiled);
  return compiled;
}

/** Whether they are own rules, each once: none of them is refused. */
export function areOwn(rules: readonly Rule[]): boolean {
  return rules.every((rule) => own.has(rule)) && new Set(rules).size === rules.length;
}

/**
 * Tells the rules that hold in a stream from those that do not. A rule is refused that cannot be read, would break linear time or the
 * bound of memory, or carries the id of an earlier one. Throws only what is no issue of a rule.
 */
export function compileRules(rules: readonly Rule[]): {
  readonly compiled: readonly CompiledRule[];
  readonly refused: readonly RefusedRule[];
} {
  const compiled: CompiledRule[] = [];
  const refused: RefusedRule[] = [];
  const ids = new Set<string>();
  const programs = new Map<string, Program>();
  for (const rule of rules) {
    try {
      if (ids.has(rule.id)) throw new RuleError('another rule has the same ID', 'rename one of them');
      compiled.push(own.has(rule) ? compileOwn(rule, programs) : compileRule(rule, programs));
      ids.add(rule.id);
    } catch (issue) {
      if (!(issue instanceof RuleError)) throw issue;
      refused.push({ id: String(rule.id), reason: issue.message, wayOut: issue.wayOut });
    }
  }
  return { compiled, refused };
}
