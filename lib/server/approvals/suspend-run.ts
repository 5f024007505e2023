import { createHash } from 'node:crypto';
import { parseSnapshot, pendingCalls } from '../../agent/suspend/snapshot.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { RunView } from '../runs/run-view.ts';
import type { SuspendedRun } from './suspended-run.ts';

/** A run as it waits, with the calls that its snapshot waits for. */
export function suspendRun(user: string, run: RunView, snapshot: JsonObject): SuspendedRun {
  const calls = pendingCalls(snapshot).map(({ key, agent, toolCall, judged = toolCall, prompt, by }) => ({
    key,
    id: `${run.runId}.${sha256(key).slice(0, 16)}`,
    agent,
    toolCallId: judged.id,
    tool: judged.name,
    input: judged.input,
    ...(prompt !== undefined && { prompt }),
    ...(by !== undefined && { by }),
    hash: sha256(canonicalJson(judged as unknown as JsonObject)),
  }));
  const waiting = calls.map(({ id, tool }) => ({ id, tool }));
  const { sessionId } = parseSnapshot(snapshot).run;
  return { version: 2, user, session: sessionId, run: { ...run, waiting }, calls, answers: {} };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
