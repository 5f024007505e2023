import type { Program } from '../pattern/program.ts';
import { ownRules } from '../rules/own-rules.ts';
import { compileRule } from './compile-rule.ts';
import type { CompiledRule, RefusedRule } from './compiled-rule.ts';
import type { Rule } from './rule.ts';
import { RuleFault } from './rule-fault.ts';

/** What has come of own rules: they never change, and nearly every redactor is made of them. */
const compiledOwn = new WeakMap<Rule, CompiledRule>();

const own: ReadonlySet<Rule> = new Set(ownRules);

/** Whether they are own rules, each once: none of them is refused. */
export function areOwn(rules: readonly Rule[]): boolean {
  return rules.every((rule) => own.has(rule)) && new Set(rules).size === rules.length;
}

/**
 * Tells the rules that hold in a stream from those that do not. A rule is refused that cannot be read, would break linear time or the
 * bound of memory, or carries the id of an earlier one. Throws only what is no fault of a rule.
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
      if (ids.has(rule.id)) throw new RuleFault('another rule has the same id', 'rename one of them');
      const ready = compiledOwn.get(rule) ?? compileRule(rule, programs, own.has(rule));
      if (own.has(rule)) compiledOwn.set(rule, ready);
      compiled.push(ready);
      ids.add(rule.id);
    } catch (fault) {
      if (!(fault instanceof RuleFault)) throw fault;
      refused.push({ id: String(rule.id), reason: fault.message, wayOut: fault.wayOut });
    }
  }
  return { compiled, refused };
}
