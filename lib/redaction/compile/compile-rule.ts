import { searchFor } from '../pattern/finder.ts';
import { leadOf } from '../pattern/lead.ts';
import { literalPrefixes } from '../pattern/literal-prefixes.ts';
import { type ParsedPattern, parsePattern } from '../pattern/parse/parse-pattern.ts';
import { type Program, toProgram } from '../pattern/program.ts';
import { secretParts } from '../pattern/secret-parts.ts';
import { literalTree } from '../pattern/syntax-tree.ts';
import { trimLead } from '../pattern/trim-lead.ts';
import { wrappedTree } from '../pattern/wrapped-tree.ts';
import { checkRuleFields } from './check-rule-fields.ts';
import type { CompiledAllowance, CompiledRule } from './compiled-rule.ts';
import type { Allowance, Rule } from './rule.ts';
import { RuleError } from './rule-error.ts';
import { vetPattern } from './vet-pattern.ts';

const DEFAULT_MAX_LENGTH = 8192;

/**
 * Compiles a rule; `programs` caches those of allowances, which many rules share. Throws a `RuleError` if the rule is invalid, or would need more than linear
 * time or bounded memory. If it is `known`, the latter check is skipped, which saves a third of the time.
 */
export function compileRule(rule: Rule, programs: Map<string, Program> = new Map(), known = false): CompiledRule {
  checkRuleFields(rule);
  const parsed =
    rule.pattern === undefined ? { tree: literalTree(rule.literal!), groups: 0 } : parsePattern(rule.pattern);
  const tree = rule.wraps ? wrappedTree(parsed.tree) : parsed.tree;
  return compileTree(rule, rule.id, { ...parsed, tree }, programs, known);
}

/** Compiles a parsed pattern; the rule's own pattern is ignored. */
export function compileTree(
  rule: Rule,
  label: string,
  parsed: ParsedPattern,
  programs: Map<string, Program> = new Map(),
  known = false,
): CompiledRule {
  const { secretGroup, maxLength = DEFAULT_MAX_LENGTH } = rule;
  if (secretGroup !== undefined && secretGroup > parsed.groups) {
    throw new RuleError(`its pattern has no group ${secretGroup}`, 'name a group that it has');
  }
  const tree = trimLead(parsed.tree, (index) => secretGroup === undefined || secretGroup === index);
  // A literal has no repetitions that could make it larger than its source.
  const program = toProgram(tree, parsed.groups, rule.literal === undefined ? undefined : Infinity);
  const member = secretParts(program, secretGroup);
  const prefixes = literalPrefixes(tree);
  const anchors = prefixes.some((prefix) => prefix.length < 2) ? [] : prefixes;
  const compiled: CompiledRule = {
    rule,
    label,
    program,
    member,
    anchors,
    lead: leadOf(member),
    keywords: keywordsOf(rule, anchors),
    maxLength,
    allow: (rule.allow ?? []).map((allowance) => compileAllowance(allowance, programs)),
  };
  if (!known) vetPattern(compiled, tree);
  return compiled;
}

/** Keywords are not needed if every match begins with one. */
function keywordsOf({ keywords = [] }: Rule, anchors: readonly string[]): string[] {
  const lower = keywords.map((keyword) => keyword.toLowerCase());
  const sure = anchors.length > 0 && anchors.every((anchor) => lower.some((keyword) => anchor.includes(keyword)));
  return sure ? [] : lower;
}

function compileAllowance(allowance: Allowance, programs: Map<string, Program>): CompiledAllowance {
  const { pattern, stopWords = [], target = 'secret' } = allowance;
  if (pattern === undefined && stopWords.length === 0) {
    throw new RuleError('an allowance is empty', 'give it a pattern or stop words');
  }
  const words = stopWords.map((word) => word.toLowerCase());
  if (pattern === undefined) return { program: undefined, stopWords: words, target };
  const key = typeof pattern === 'string' ? `"${pattern}` : String(pattern);
  const program = programs.get(key) ?? searchFor(pattern);
  programs.set(key, program);
  return { program, stopWords: words, target };
}
