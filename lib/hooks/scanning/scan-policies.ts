import { z } from 'zod';

/**
 * What is done about secrets on a surface. `off`: it is not looked at. `report`: notes say what was found. `redact`: markers take the places of
 * secrets. `block`: what holds one does not go on.
 */
export type ScanPolicy = 'off' | 'report' | 'redact' | 'block';

/** Where text passes: what the user says, what hooks inject, what the model says, thinks and calls, what tools give and report. */
export type ScanSurface = keyof z.output<typeof scanPolicies>;

const policy = (usual: ScanPolicy, description: string) =>
  z.enum(['off', 'report', 'redact', 'block']).default(usual).describe(description);

/** A policy for each surface. Rewritten arguments break code, and a prompt is the user's own affair: these two are only reported by default. */
export const scanPolicies = z.strictObject({
  prompt: policy('report', 'What the user says. Blocked, the run is aborted and the prompt forgotten.'),
  context: policy('redact', 'Messages that hooks put in. Blocked, the run is aborted.'),
  text: policy('redact', 'What the model says. Blocked, the run is aborted.'),
  thinking: policy('redact', 'What the model thinks. Blocked, the run is aborted.'),
  toolInput: policy('report', 'Arguments of tool calls. Blocked, the call is denied.'),
  toolResult: policy('redact', 'Results of tools. Blocked, the model is told that the result was withheld.'),
  toolProgress: policy(
    'redact',
    'What tools report as they run. Blocked, the tool is stopped and its result withheld.',
  ),
});

/** From the laxest to the strictest. */
const strictness: readonly ScanPolicy[] = ['off', 'report', 'redact', 'block'];

/** Whether any surface has a laxer policy than before. */
export function laxerPolicies(before: Policies, after: Policies): boolean {
  const rank = (policies: Policies, one: ScanSurface) => strictness.indexOf(policies[one]);
  return scanPolicies.keyof().options.some((one) => rank(after, one) < rank(before, one));
}

type Policies = z.output<typeof scanPolicies>;
