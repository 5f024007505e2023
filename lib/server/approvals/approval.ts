import { z } from 'zod';
import { runPlaceSchema } from './run-place.ts';
import { type SuspendedRun, type WaitingCall, waitingCallSchema } from './suspended-run.ts';

/** A call that waits for an answer, as the API shows it. */
export const approvalSchema = waitingCallSchema.omit({ key: true }).extend({
  runId: z.string(),
  /** Whose run it is. */
  user: z.string(),
  workspace: runPlaceSchema.shape.workspace.exactOptional(),
  configuration: runPlaceSchema.shape.configuration.exactOptional(),
  /** The session as its user has named it. */
  sessionId: z.string(),
  /** What the approver asks. */
  prompt: z.string().exactOptional(),
  /** The hook that asks. */
  by: z.string().exactOptional(),
  hash: z
    .string()
    .describe(
      'SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of { id, name, input } of the call; an answer has to name it.',
    ),
  suspendedAt: z.iso.datetime().describe('Since when it waits.'),
  /** When it is denied, if nobody has answered by then. */
  expiresAt: z.iso.datetime(),
  inside: z
    .literal(true)
    .exactOptional()
    .describe('Its run waits inside, and goes on itself when the call is answered.'),
  /** Why the run could not be resumed when all was answered last. */
  fault: z.string().exactOptional(),
});

export type Approval = z.infer<typeof approvalSchema>;

/** A call of a run as it is shown. */
export function approvalOf(
  { run, user, fault, place }: SuspendedRun,
  { key, ...call }: WaitingCall,
  expireMs: number,
): Approval {
  const suspendedAt = run.endedAt ?? run.startedAt;
  return {
    ...call,
    runId: run.runId,
    user,
    ...place,
    sessionId: run.sessionId,
    suspendedAt,
    expiresAt: new Date(Date.parse(suspendedAt) + expireMs).toISOString(),
    ...(fault && { fault: `${fault.code}: ${fault.message}` }),
  };
}

/** The run that an approval belongs to. */
export function runOfApproval(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}
