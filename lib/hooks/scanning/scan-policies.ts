import { z } from 'zod';
import { type Confidence, confidences } from '../../redaction/confidence.ts';
import type { Finding } from '../../redaction/redactor.ts';

/**
 * What is done about secrets on a surface. `off`: it is not looked at. `report`: notes say what was found. `redact`: markers take the places of
 * secrets. `block`: what holds one does not go on.
 */
export type ScanPolicy = (typeof actions)[number];

/** Where text passes: what the user says, what hooks inject, what the model says, thinks and calls, what tools give and report. */
export type ScanSurface = keyof z.output<typeof scanPolicies>;

/** The policy for each confidence of findings. */
export type PolicyByConfidence = Readonly<Record<Confidence, ScanPolicy>>;

/** A policy for each surface. A single word holds for findings of any confidence. */
export type ScanPolicies = Readonly<Record<ScanSurface, ScanPolicy | PolicyByConfidence>>;

/** From the laxest to the strictest. */
const actions = ['off', 'report', 'redact', 'block'] as const;

const action = z.enum(actions);
const surface = (usual: ScanPolicy | PolicyByConfidence, description: string) => {
  const { format, assigned, guessed } = byConfidence(usual);
  const each = z.strictObject({
    format: action.default(format).describe('For values that prove what they are.'),
    assigned: action.default(assigned).describe('For values behind a name for secrets that look like no word.'),
    guessed: action.default(guessed).describe('For values that only their surroundings make suspicious.'),
  });
  return z.union([action, each]).default(usual).describe(description);
};

/** A guess that is wrong rewrites code and prose, so guesses stay in what the model says. */
const OWN_WORDS: PolicyByConfidence = { format: 'redact', assigned: 'redact', guessed: 'report' };

/** A policy for each surface. Rewritten arguments break code, and a prompt is the user's own affair: these two are only reported by default. */
export const scanPolicies = z.strictObject({
  prompt: surface('report', 'What the user says. Blocked, the run is aborted and the prompt forgotten.'),
  context: surface('redact', 'Messages that hooks put in. Blocked, the run is aborted.'),
  text: surface(OWN_WORDS, 'What the model says. Blocked, the run is aborted.'),
  thinking: surface(OWN_WORDS, 'What the model thinks. Blocked, the run is aborted.'),
  toolInput: surface('report', 'Arguments of tool calls. Blocked, the call is denied.'),
  toolResult: surface('redact', 'Results of tools. Blocked, the model is told that the result was withheld.'),
  toolProgress: surface(
    'redact',
    'What tools report as they run. Blocked, the tool is stopped and its result withheld.',
  ),
});

/** The policy for each confidence. */
export function byConfidence(policy: ScanPolicy | PolicyByConfidence): PolicyByConfidence {
  return typeof policy === 'string' ? { format: policy, assigned: policy, guessed: policy } : policy;
}

/** The policy for what a redactor has found. */
export function policyFor(policy: PolicyByConfidence, { confidence = 'format' }: Finding): ScanPolicy {
  return policy[confidence];
}

/** Whether any finding is to have one of these policies. */
export function hasPolicy(policy: PolicyByConfidence, ...any: readonly ScanPolicy[]): boolean {
  return confidences.some((confidence) => any.includes(policy[confidence]));
}

/** The confidences of which findings stay in the text. */
export function leftBy(policy: PolicyByConfidence): readonly Confidence[] {
  return confidences.filter((confidence) => policy[confidence] === 'off' || policy[confidence] === 'report');
}

/** Whether any surface has a laxer policy than before. */
export function laxerPolicies(before: ScanPolicies, after: ScanPolicies): boolean {
  const rank = (policies: ScanPolicies, one: ScanSurface, confidence: Confidence) =>
    actions.indexOf(byConfidence(policies[one])[confidence]);
  return scanPolicies
    .keyof()
    .options.some((one) => confidences.some((each) => rank(after, one, each) < rank(before, one, each)));
}
