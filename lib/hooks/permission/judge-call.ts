import type { RuleEffect } from '../../permission-rules/action/tool-families.ts';
import { callRuleMatcher, type SeenCall } from '../../permission-rules/call-rule.ts';
import type { RulePlace } from '../../permission-rules/match-path.ts';
import { type RuleTest, ruleMatcher } from '../../permission-rules/match-rules.ts';
import { shellRules } from '../../permission-rules/mentions/shell-rules.ts';
import { type PermissionRule, parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { type RuleMatch, strongest } from '../../permission-rules/rule-match.ts';
import type { Rule, RuleLists } from './permission-options.ts';

export interface RuleSource extends RuleLists {
  readonly place: RulePlace;
}

export interface Ruling {
  readonly action: 'allow' | 'ask' | 'deny';
  /** The rule that denies or requires approval. Absent if none does, or if a match cannot be determined. */
  readonly rule?: string;
  /**
   * All rules that require approval, if each covers the whole call and no other may match. A grant may then cover other calls that they match.
   * Absent: the call may do more than is known.
   */
  readonly rules?: readonly string[];
  readonly why: string;
}

/** Returns the ruling for rules that require approval. */
export function askedBy(rules: readonly string[]): Ruling & { readonly rule: string } {
  const why =
    rules.length === 1 ? `the rule ${rules[0]} requires approval` : `the rules ${rules.join(' and ')} require approval`;
  return { action: 'ask', rule: rules[0] as string, why };
}

/** Creates a judge of calls: deny takes precedence over ask, and ask over allow. No rule allows a call that cannot be parsed. */
export function ruleJudge(sources: readonly RuleSource[], otherwise: Ruling['action']): (call: SeenCall) => Ruling {
  const deny = sources.map(({ deny, place }) => createRules(deny, place));
  const ask = sources.map(({ ask, place }) => createRules(ask, place));
  const allow = sources.map(({ allow, place }) => createRules(allow, place, 'allow'));
  return (call) => {
    const denied = refusing(deny, call);
    const [refused] = denied.matching;
    if (refused)
      return { action: 'deny', rule: refused.text, why: refused.reason ?? `the rule ${refused.text} denies it` };
    const asked = refusing(ask, call);
    // An approval for an ask rule must not cover a rule that may deny.
    if (asked.matching.length > 0 && denied.unclear === undefined) {
      const rules = [...new Set(asked.matching.map(({ text }) => text))];
      const whole = asked.unclear === undefined && asked.matching.every(({ match }) => match === 'all');
      return { ...askedBy(rules), ...(whole && { rules }) };
    }
    const unclear = denied.unclear ?? asked.unclear;
    if (unclear) return { action: 'ask', why: `it is unclear whether the rule ${unclear} matches` };
    const allowing = allow.find(({ together }) => together(call) === 'all');
    // Computed on demand, because testing each rule separately is slow.
    if (allowing)
      return {
        action: 'allow',
        get why() {
          return allowedBy(allowing, call);
        },
      };
    const partly = allow.flatMap((rules) => rules.singly().find(({ test }) => test(call) !== 'none')?.text ?? []);
    const why = partly[0] ? `the rule ${partly[0]} allows only a part of it` : 'no rule matches it';
    return { action: otherwise, why };
  };
}

/** Names the rule or rules that allow a call. */
function allowedBy(rules: Rules, call: SeenCall): string {
  const results = rules.singly().map(({ text, test }) => ({ text, match: test(call) }));
  const whole = results.find(({ match }) => match === 'all');
  if (whole) return `the rule ${whole.text} allows it`;
  const parts = results.filter(({ match }) => match === 'some').map(({ text }) => text);
  return `the rules ${parts.join(' and ')} allow it together`;
}

interface Rules {
  /** The strictest match. Together, text rules may cover a line of several commands. */
  together(call: SeenCall): RuleMatch;
  /** Separate tests, created on demand to name the matching rule. */
  singly(): readonly {
    readonly text: string;
    readonly reason?: string | undefined;
    test(call: SeenCall): RuleMatch;
  }[];
}

function createRules(rules: readonly Rule[], place: RulePlace, effect: RuleEffect = 'refuse'): Rules {
  const objects = rules.flatMap((rule) => (typeof rule === 'string' ? [] : [callRuleMatcher(rule, place, effect)]));
  const texts = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePermissionRule(rule)] : []));
  const tests = [textTest(texts, place, effect), ...objects];
  let single: ReturnType<Rules['singly']> | undefined;
  return {
    together: (call) => strongest(tests.map((test) => test(call))),
    singly() {
      single ??= rules.map((rule) =>
        typeof rule === 'string'
          ? { text: rule, test: textTest([parsePermissionRule(rule)], place, effect) }
          : { text: JSON.stringify(rule), reason: rule.reason, test: callRuleMatcher(rule, place, effect) },
      );
      return single;
    },
  };
}

/** Creates the test of text rules. Rules that refuse also match shell commands that name their paths. */
function textTest(rules: readonly PermissionRule[], place: RulePlace, effect: RuleEffect): RuleTest {
  const test = ruleMatcher(rules, place, effect);
  const reads = effect === 'refuse' ? shellRules(rules, place) : undefined;
  return reads ? (call) => strongest([test(call), reads(call)]) : test;
}

/** Returns the rules that match a call or a part of it, and the first rule whose match is unclear. */
function refusing(lists: readonly Rules[], call: SeenCall) {
  const candidates = lists.filter(({ together }) => together(call) !== 'none').flatMap((rules) => rules.singly());
  const matches = candidates.map(({ text, reason, test }) => ({ text, reason, match: test(call) }));
  const matching = matches.filter(({ match }) => match === 'all' || match === 'some');
  const first = matches.find(({ match }) => match === 'unclear') ?? (matching.length === 0 ? matches[0] : undefined);
  // Rules that match together but not separately would be a bug here. It must not let a call pass.
  return { matching, unclear: first?.text };
}
