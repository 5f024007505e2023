import { z } from 'zod';
import { runPlaceSchema } from './run-place.ts';
import { type SuspendedRun, type WaitingCall, waitingCallSchema } from './suspended-run.ts';

/** A pending call in responses of the API. */
export const approvalSchema = waitingCallSchema.omit({ key: true }).extend({
  runId: z.string(),
  user: z.string(),
  workspace: runPlaceSchema.shape.workspace.exactOptional(),
  configuration: runPlaceSchema.shape.configuration.exactOptional(),
  /** The name that the user gave to the session. */
  sessionId: z.string(),
  prompt: z.string().exactOptional(),
  /** The hook that requests the approval. */
  by: z.string().exactOptional(),
  hash: z
    .string()
    .describe(
      'SHA-256 (hexadecimal) of the canonical JSON (RFC 8785) of { id, name, input } of the call. An answer must contain it.',
    ),
  suspendedAt: z.iso.datetime().describe('When the call became pending.'),
  /** Time at which the call is denied without an answer. */
  expiresAt: z.iso.datetime(),
  inside: z.literal(true).exactOptional().describe('The run is active and continues when the call is answered.'),
  /** The reason why the run could not be resumed after the last answer. */
  issue: z.string().exactOptional(),
});

export type Approval = z.infer<typeof approvalSchema>;

export function approvalOf(
  { run, user, issue, place }: SuspendedRun,
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
    ...(issue && { issue: `${issue.code}: ${issue.message}` }),
  };
}

export function runOfApproval(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}
