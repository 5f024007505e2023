import { z } from 'zod';
import { type Confidence, confidences } from '../../redaction/confidence.ts';
import type { Finding } from '../../redaction/redactor.ts';

/** The action for secrets on a surface. `off`: no scan. `report`: adds notes. `redact`: replaces secrets with markers. `block`: stops the content. */
export type ScanPolicy = (typeof actions)[number];

/** The surfaces: user prompts, injected context, the model's text, thinking and calls, and tool results and progress. */
export type ScanSurface = keyof z.output<typeof scanPolicies>;

/** The policy for each confidence of findings. */
export type PolicyByConfidence = Readonly<Record<Confidence, ScanPolicy>>;

/** A policy for each surface. A single policy applies to findings of any confidence. */
export type ScanPolicies = Readonly<Record<ScanSurface, ScanPolicy | PolicyByConfidence>>;

/** From the laxest to the strictest. */
const actions = ['off', 'report', 'redact', 'block'] as const;

const action = z.enum(actions);
const surface = (usual: ScanPolicy | PolicyByConfidence, description: string) => {
  const { format, assigned, guessed } = byConfidence(usual);
  const each = z.strictObject({
    format: action.default(format).describe('Action for values that are identified by their format.'),
    assigned: action
      .default(assigned)
      .describe('Action for values that are assigned to a secret name and do not look like words.'),
    guessed: action.default(guessed).describe('Action for values that are suspicious only because of their context.'),
  });
  return z.union([action, each]).default(usual).describe(description);
};

/** A wrong guess would rewrite code and prose, so guesses remain in the model's text. */
const OWN_WORDS: PolicyByConfidence = { format: 'redact', assigned: 'redact', guessed: 'report' };

/** A policy for each surface. Rewritten arguments break code, and prompts belong to the user: by default, these two are only reported. */
export const scanPolicies = z.strictObject({
  prompt: surface('report', 'User prompts. block aborts the run and forgets the prompt.'),
  context: surface('redact', 'Messages injected by hooks. block aborts the run.'),
  text: surface(OWN_WORDS, 'Text of the model. block aborts the run.'),
  thinking: surface(OWN_WORDS, 'Thinking of the model. block aborts the run.'),
  toolInput: surface('report', 'Arguments of tool calls. block denies the call.'),
  toolResult: surface('redact', 'Results of tools. block withholds the result and informs the model.'),
  toolProgress: surface('redact', 'Output of running tools. block stops the tool and withholds its result.'),
});

export function byConfidence(policy: ScanPolicy | PolicyByConfidence): PolicyByConfidence {
  return typeof policy === 'string' ? { format: policy, assigned: policy, guessed: policy } : policy;
}

export function policyFor(policy: PolicyByConfidence, { confidence = 'format' }: Finding): ScanPolicy {
  return policy[confidence];
}

/** Returns whether any confidence has one of these policies. */
export function hasPolicy(policy: PolicyByConfidence, ...any: readonly ScanPolicy[]): boolean {
  return confidences.some((confidence) => any.includes(policy[confidence]));
}

/** Returns the confidences whose findings remain in the text. */
export function leftBy(policy: PolicyByConfidence): readonly Confidence[] {
  return confidences.filter((confidence) => policy[confidence] === 'off' || policy[confidence] === 'report');
}

/** Returns whether any surface has a laxer policy than before. */
export function laxerPolicies(before: ScanPolicies, after: ScanPolicies): boolean {
  const rank = (policies: ScanPolicies, one: ScanSurface, confidence: Confidence) =>
    actions.indexOf(byConfidence(policies[one])[confidence]);
  return scanPolicies
    .keyof()
    .options.some((one) => confidences.some((each) => rank(after, one, each) < rank(before, one, each)));
}
