import { callRuleMatcher, type SeenCall } from '../../permission-rules/call-rule.ts';
import type { RulePlace } from '../../permission-rules/match-path.ts';
import { matchRules } from '../../permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import type { RuleMatch } from '../../permission-rules/rule-match.ts';
import type { Rule, RuleLists } from './permission-options.ts';

/** Rules of one place. */
export interface RuleSource extends RuleLists {
  readonly place: RulePlace;
}

/** What rules make of a call. */
export interface Ruling {
  readonly action: 'allow' | 'ask' | 'deny';
  /** The rule that decides; absent where none does, or where it cannot be told whether one fits. */
  readonly rule?: string;
  readonly why: string;
}

interface TestedRule {
  readonly text: string;
  test(call: SeenCall): RuleMatch;
}

/** Makes a judge of calls: deny goes before ask, and ask before allow. What is not understood is never allowed. */
export function ruleJudge(sources: readonly RuleSource[], otherwise: Ruling['action']): (call: SeenCall) => Ruling {
  const deny = sources.flatMap(({ deny, place }) => deny.map((rule) => tested(rule, place)));
  const ask = sources.flatMap(({ ask, place }) => ask.map((rule) => tested(rule, place)));
  const allow = sources.flatMap(({ allow, place }) => allowing(allow, place));
  return (call) => {
    const denied = firstOf(deny, call);
    if (denied.fits) return { action: 'deny', rule: denied.fits, why: `the rule ${denied.fits} denies it` };
    const asked = firstOf(ask, call);
    if (asked.fits) return { action: 'ask', rule: asked.fits, why: `the rule ${asked.fits} wants it asked about` };
    const unclear = denied.unclear ?? asked.unclear;
    if (unclear) return { action: 'ask', why: `it cannot be told whether the rule ${unclear} fits` };
    const parts = allow.flatMap(({ name, test }) => {
      const match = test(call);
      return match === 'none' ? [] : [{ match, name: name(call) }];
    });
    const whole = parts.find(({ match }) => match === 'all');
    if (whole) return { action: 'allow', rule: whole.name, why: `the rule ${whole.name} allows it` };
    const why = parts[0] ? `the rule ${parts[0].name} does not allow all of it` : 'no rule speaks of it';
    return { action: otherwise, why };
  };
}

function firstOf(rules: readonly TestedRule[], call: SeenCall): { fits?: string; unclear?: string } {
  let unclear: string | undefined;
  for (const { text, test } of rules) {
    const match = test(call);
    if (match === 'all' || match === 'some') return { fits: text };
    if (match === 'unclear') unclear ??= text;
  }
  return unclear === undefined ? {} : { unclear };
}

function tested(rule: Rule, place: RulePlace): TestedRule {
  if (typeof rule !== 'string') return { text: JSON.stringify(rule), test: callRuleMatcher(rule, place) };
  const parsed = parsePermissionRule(rule);
  return { text: rule, test: (call) => matchRules([parsed], call, place) };
}

interface AllowRules {
  /** Those of them that speak of a call. */
  name(call: SeenCall): string;
  test(call: SeenCall): RuleMatch;
}

/** Rules as texts allow a line of several commands together. */
function allowing(rules: readonly Rule[], place: RulePlace): readonly AllowRules[] {
  const objects = rules.flatMap((rule) => (typeof rule === 'string' ? [] : [tested(rule, place)]));
  const texts = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePermissionRule(rule)] : []));
  const speaking = (call: SeenCall) => texts.filter((rule) => matchRules([rule], call, place) !== 'none');
  return [
    ...objects.map(({ text, test }) => ({ test, name: () => text })),
    {
      test: (call) => matchRules(texts, call, place),
      name: (call) =>
        speaking(call)
          .map(({ text }) => text)
          .join(' and '),
    },
  ];
}
