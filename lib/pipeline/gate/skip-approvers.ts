import type { PreActing } from '../../events/pre-acting.ts';
import type { StepScope } from '../run/step-scope.ts';

/** Puts on the trace, if there is one, that the approvers from place `from` on are not asked. */
export function skipApprovers(step: StepScope, event: PreActing, reason: string, from = 0): void {
  const { tracer, plan } = step.scope;
  if (!tracer) return;
  for (const { hook } of plan.approvers.slice(from)) tracer.skip(event, hook, 'approve', reason);
}
