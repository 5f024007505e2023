import { canonicalJson } from '../../events/values/canonical-json.ts';
import { cutText } from '../../hooks/text/cut-text.ts';
import { callRuleSchema } from '../../permission-rules/call-rule-schema.ts';
import { shortJson } from '../terminal/short-json.ts';
import type { Expected, PolicyCase } from './case-file.ts';
import type { Outcome } from './try-case.ts';

/** A case that was tried. It passed if it has no problems. */
export interface CaseResult {
  readonly file: string;
  readonly asked: PolicyCase;
  readonly problems: readonly string[];
  readonly outcome: Outcome;
  readonly ms: number;
}

/** Maximum characters of a value in a problem. */
const MOST = 300;

/** Returns the differences between what a case expects and what the hooks decide, one line each. */
export function problemsOf({ expect, call, prompt, result }: PolicyCase, outcome: Outcome): readonly string[] {
  const { action = 'allow', by, rule, reason, input, text } = expect;
  if (action !== outcome.action)
    return [`expected ${showDecision({ ...expect, action })}, got ${showDecision(outcome)}`];
  const given = prompt ?? result?.content ?? '';
  return [
    ...(by !== undefined && !isBy(outcome, by) ? [`expected ${action} by ${by}, got ${showDecision(outcome)}`] : []),
    ...(rule !== undefined && !namesRule(outcome, rule) ? [`expected the rule ${rule}, got ${rulesOf(outcome)}`] : []),
    ...(reason !== undefined && !outcome.reason?.includes(reason)
      ? [`expected a reason with ${JSON.stringify(reason)}, got ${showDecision(outcome)}`]
      : []),
    ...different('input', input, call && (outcome.input ?? call.input)),
    ...different('text', text, call ? undefined : (outcome.text ?? given)),
    ...unexpected(expect, outcome),
  ];
}

/** A case that expects no change fails if hooks change something: a rewritten call is not the call that was meant. */
function unexpected({ action = 'allow', input, text }: Expected, outcome: Outcome): readonly string[] {
  if (action !== 'allow') return [];
  return [
    ...(input === undefined && outcome.input
      ? [`expected no change, got the input ${shortJson(outcome.input, MOST)}`]
      : []),
    ...(text === undefined && outcome.text !== undefined
      ? [`expected no change, got the text ${shortJson(outcome.text, MOST)}`]
      : []),
  ];
}

/** Several hooks may ask about one call. */
function isBy({ by, steps = [] }: Outcome, hook: string): boolean {
  return by === hook || steps.some((step) => step.hook === hook && step.effect === 'decided');
}

function different(what: string, expected: unknown, got: unknown): readonly string[] {
  if (expected === undefined || canonicalJson(expected as never) === canonicalJson((got ?? null) as never)) return [];
  return [
    `expected the ${what} ${shortJson(expected as never, MOST)}, got ${got === undefined ? 'none' : shortJson(got as never, MOST)}`,
  ];
}

/** Returns a decision with its hook and reason. */
export function showDecision({
  action,
  by,
  reason,
}: {
  action?: string;
  by?: string | undefined;
  reason?: string | undefined;
}): string {
  return [
    action,
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(reason === undefined ? [] : [`(${cutText(reason.replace(/\s+/g, ' '), MOST)})`]),
  ].join(' ');
}

const BEFORE = /(?:the rules? | and )$/;
const AFTER = /^(?: (?:denies it|requires approval|require approval|allows it|allow it together|matches)| and )/;

/** Returns whether the reason of a decision, or of a hook, names this rule, and not a longer one that begins with it. */
export function namesRule({ reason, steps = [] }: Outcome, written: string): boolean {
  const rule = inDecisions(written);
  const isNamed = (text: string): boolean => {
    for (let at = text.indexOf(rule); at >= 0; at = text.indexOf(rule, at + 1))
      if (BEFORE.test(text.slice(0, at)) && AFTER.test(text.slice(at + rule.length))) return true;
    return false;
  };
  return [reason, ...steps.map((step) => step.reason)].some((text) => text !== undefined && isNamed(text));
}

/** Decisions name a rule that is an object with its defaults. */
function inDecisions(rule: string): string {
  if (!rule.startsWith('{')) return rule;
  try {
    return JSON.stringify(callRuleSchema.safeParse(JSON.parse(rule)).data) ?? rule;
  } catch {
    return rule;
  }
}

function rulesOf({ reason, steps = [] }: Outcome): string {
  const reasons = [reason, ...steps.map((step) => step.reason)].filter((text) => text?.includes('the rule'));
  return reasons[0] ?? 'no rule';
}
