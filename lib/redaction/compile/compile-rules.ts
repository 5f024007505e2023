import type { Program } from '../pattern/program.ts';
import { ownRules } from '../rules/own-rules.ts';
import { compileRule } from './compile-rule.ts';
import type { CompiledRule, RefusedRule } from './compiled-rule.ts';
import type { Rule } from './rule.ts';
import { RuleError } from './rule-error.ts';
import { readOwnTables } from './tables/own-tables.ts';

const own: ReadonlySet<Rule> = new Set(ownRules);

/** The built-in rules, compiled: they never change, and nearly every redactor uses them. */
let compiledOwn: Map<Rule, CompiledRule> | undefined;

function compileOwn(rule: Rule, programs: Map<string, Program>): CompiledRule {
  compiledOwn ??= new Map(readOwnTables(ownRules)?.map((compiled) => [compiled.rule, compiled]));
  const compiled = compiledOwn.get(rule) ?? compileRule(rule, programs, true);
  compiledOwn.set(rule, compiled);
  return compiled;
}

/** Returns whether all rules are built-in ones without duplicates: these are always valid. */
export function areOwn(rules: readonly Rule[]): boolean {
  return rules.every((rule) => own.has(rule)) && new Set(rules).size === rules.length;
}

/**
 * Separates the rules that hold in a stream from those that do not. A rule is rejected if it cannot be parsed, would exceed linear time or bounded memory, or
 * repeats an earlier ID. Throws only errors that are not issues of a rule.
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
      refused.push({ id: String(rule.id), reason: issue.message, fix: issue.fix });
    }
  }
  return { compiled, refused };
}
