import { callRuleMatcher, type SeenCall } from '../../permission-rules/call-rule.ts';
import type { RulePlace } from '../../permission-rules/match-path.ts';
import { ruleMatcher } from '../../permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import type { RuleMatch } from '../../permission-rules/rule-match.ts';
import type { RuleEffect } from '../../permission-rules/tool-families.ts';
import type { Rule, RuleLists } from './permission-options.ts';

/** Rules of one place. */
export interface RuleSource extends RuleLists {
  readonly place: RulePlace;
}

/** What rules make of a call. */
export interface Ruling {
  readonly action: 'allow' | 'ask' | 'deny';
  /** The rule that denies or asks; absent where none does, or where it cannot be told whether one fits. */
  readonly rule?: string;
  /**
   * All rules that ask, where each is about the whole call and no other may fit: a yes may hold for what else they ask about. Absent: beside
   * what is known of the call anything may stand.
   */
  readonly rules?: readonly string[];
  readonly why: string;
}

/** The ruling of rules that ask about a call. */
export function askedBy(rules: readonly string[]): Ruling & { readonly rule: string } {
  const why = rules.length === 1 ? `the rule ${rules[0]} wants it` : `the rules ${rules.join(' and ')} want it`;
  return { action: 'ask', rule: rules[0] as string, why: `${why} asked about` };
}

/** Makes a judge of calls: deny goes before ask, and ask before allow. What is not understood is never allowed by a rule. */
export function ruleJudge(sources: readonly RuleSource[], otherwise: Ruling['action']): (call: SeenCall) => Ruling {
  const deny = sources.map(({ deny, place }) => createRules(deny, place));
  const ask = sources.map(({ ask, place }) => createRules(ask, place));
  const allow = sources.map(({ allow, place }) => createRules(allow, place, 'allow'));
  return (call) => {
    const denied = refusing(deny, call);
    const [refused] = denied.fits;
    if (refused) return { action: 'deny', rule: refused.text, why: `the rule ${refused.text} denies it` };
    const asked = refusing(ask, call);
    // A yes to a rule that asks says nothing of one that may deny.
    if (asked.fits.length > 0 && denied.unclear === undefined) {
      const rules = [...new Set(asked.fits.map(({ text }) => text))];
      const whole = asked.unclear === undefined && asked.fits.every(({ match }) => match === 'all');
      return { ...askedBy(rules), ...(whole && { rules }) };
    }
    const unclear = denied.unclear ?? asked.unclear;
    if (unclear) return { action: 'ask', why: `it cannot be told whether the rule ${unclear} fits` };
    const allowing = allow.find(({ together }) => together(call) === 'all');
    // Seldom asked for, and each rule by itself is slow.
    if (allowing)
      return {
        action: 'allow',
        get why() {
          return allowedBy(allowing, call);
        },
      };
    const partly = allow.flatMap((rules) => rules.singly().find(({ test }) => test(call) !== 'none')?.text ?? []);
    const why = partly[0] ? `the rule ${partly[0]} does not allow all of it` : 'no rule speaks of it';
    return { action: otherwise, why };
  };
}

/** Which rule allows a call, or which do together. */
function allowedBy(rules: Rules, call: SeenCall): string {
  const fits = rules.singly().map(({ text, test }) => ({ text, match: test(call) }));
  const whole = fits.find(({ match }) => match === 'all');
  if (whole) return `the rule ${whole.text} allows it`;
  const parts = fits.filter(({ match }) => match === 'some').map(({ text }) => text);
  return `the rules ${parts.join(' and ')} allow it together`;
}

/** A list of rules. */
interface Rules {
  /** The strictest match: rules as texts cover a line of several commands together. */
  together(call: SeenCall): RuleMatch;
  /** Each of them, made when somebody wants to know which one it was. */
  singly(): readonly { readonly text: string; test(call: SeenCall): RuleMatch }[];
}

function createRules(rules: readonly Rule[], place: RulePlace, effect: RuleEffect = 'refuse'): Rules {
  const objects = rules.flatMap((rule) => (typeof rule === 'string' ? [] : [callRuleMatcher(rule, place)]));
  const texts = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePermissionRule(rule)] : []));
  const tests = [ruleMatcher(texts, place, effect), ...objects];
  let single: ReturnType<Rules['singly']> | undefined;
  return {
    together: (call) => strongest(tests.map((test) => test(call))),
    singly() {
      single ??= rules.map((rule) =>
        typeof rule === 'string'
          ? { text: rule, test: ruleMatcher([parsePermissionRule(rule)], place, effect) }
          : { text: JSON.stringify(rule), test: callRuleMatcher(rule, place) },
      );
      return single;
    },
  };
}

const strength = { all: 3, some: 2, unclear: 1, none: 0 } as const;

function strongest(matches: readonly RuleMatch[]): RuleMatch {
  return matches.reduce((most, one) => (strength[one] > strength[most] ? one : most), 'none');
}

/** The rules that fit a call or a part of it, and the first of which that cannot be told. */
function refusing(lists: readonly Rules[], call: SeenCall) {
  const speaking = lists.filter(({ together }) => together(call) !== 'none').flatMap((rules) => rules.singly());
  const matches = speaking.map(({ text, test }) => ({ text, match: test(call) }));
  const fits = matches.filter(({ match }) => match === 'all' || match === 'some');
  const first = matches.find(({ match }) => match === 'unclear') ?? (fits.length === 0 ? matches[0] : undefined);
  // Rules that fit together and not one by one would be a fault of ours; it must not let a call pass.
  return { fits, unclear: first?.text };
}
