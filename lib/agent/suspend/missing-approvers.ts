import type { Run } from '../../pipeline/run/run.ts';

/** Logs the approvers that were in force when a run was suspended and are missing from the run that resumes it. */
export function logMissingApprovers({ approvers, lifetime, info }: Run, inForce: readonly string[]): void {
  const missing = inForce.filter((name) => !approvers.includes(name));
  if (missing.length === 0) return;
  lifetime.log?.warn(
    { agent: info.agent, resumedFrom: info.resumedFrom, missing },
    `Approvers of the suspended run are missing: ${missing.join(', ')}. A call that one of them asked about stays pending until it is answered.`,
  );
}

/** Returns the approvers in force for calls that are suspended again: those of the first suspension and the current ones. */
export function approversInForce({ approvers }: Run, before: readonly string[] = []): string[] {
  return [...new Set([...before, ...approvers])];
}
