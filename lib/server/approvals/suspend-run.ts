import { createHash } from 'node:crypto';
import { parseSnapshot, pendingCalls } from '../../agent/suspend/snapshot.ts';
import { shownCall } from '../../agent/suspend/waiting-call.ts';
import { CLIENT } from '../../chat/client-tools.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { RunView } from '../runs/run-view.ts';
import type { RunPlace } from './run-place.ts';
import type { SuspendedRun } from './suspended-run.ts';

/** Creates a suspended run with the pending calls of its snapshot, except those that a chat client executes. */
export function suspendRun(user: string, run: RunView, snapshot: JsonObject, place?: RunPlace): SuspendedRun {
  const asked = pendingCalls(snapshot).filter(({ by }) => by !== CLIENT);
  const calls = asked.map((pending) => ({
    ...shownCall(pending),
    id: approvalId(run.runId, pending.key),
    hash: sha256(canonicalJson((pending.judged ?? pending.toolCall) as unknown as JsonObject)),
  }));
  const waiting = calls.map(({ id, tool }) => ({ id, tool }));
  const { sessionId } = parseSnapshot(snapshot).run;
  const about = { version: 2 as const, user, session: sessionId, ...(place && { place }) };
  return { ...about, run: { ...run, waiting }, calls, answers: {} };
}

/** Returns the approval id of a call, from its key in the snapshot. */
export function approvalId(runId: string, key: string): string {
  return `${runId}.${sha256(key).slice(0, 16)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
