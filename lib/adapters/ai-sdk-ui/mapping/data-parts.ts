import { hookFacts } from '../../../chat/hook-facts.ts';
import type { ActingChunk } from '../../../events/acting-chunk.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { UiMessageChunk } from '../ui-message-chunk.ts';
import type { WaitingCall } from './suspended-calls.ts';

// The stream has no parts for what stands here. One with an id takes the place of the one before.

/** Parts that the client is to hide, by their ids. */
export function withdrawnPart(id: string, ids: readonly string[]): UiMessageChunk {
  return { type: 'data-withdrawn', id, data: { ids: [...ids] } };
}

/** A call that waits for an answer, or what has become of it. */
export function approvalPart(call: WaitingCall, toolCallId: string, state: string): UiMessageChunk {
  const { id, tool, agent, prompt, by, hash, expiresAt, inline } = call;
  const facts = Object.entries({ agent, prompt, by, hash, expiresAt, inline }).filter(([, fact]) => fact !== undefined);
  return {
    type: 'data-approval',
    id,
    data: { ...(Object.fromEntries(facts) as JsonObject), id, toolCallId, tool, state },
  };
}

/** A sub-agent's run: `running`, or how it has ended. */
export function subagentPart({ runId, agent, parentRunId }: RunInfo, state: string): UiMessageChunk {
  const data: JsonObject = { runId, agent, ...(parentRunId !== undefined && { parentRunId }), state };
  return { type: 'data-subagent', id: runId, data };
}

/** What a running tool reports. It is not kept in the message. */
export function toolOutputPart({ content, attempt, last }: ActingChunk, toolCallId: string): UiMessageChunk {
  return { type: 'data-tool-output', data: { toolCallId, content, attempt, last }, transient: true };
}

/** What hooks have done, by their names, codes and paths: no text of theirs and no value. Undefined where none has done anything. */
export function hookPart(event: SettledEvent): UiMessageChunk | undefined {
  const { type, run, seq } = event;
  const failed = 'hook' in event ? event.hook : undefined;
  const facts = hookFacts(event);
  if (!facts && failed === undefined) return undefined;
  const data: JsonObject = { event: type, runId: run.runId, seq, ...(failed !== undefined && { failed }), ...facts };
  return { type: 'data-hook', id: `${run.runId}:hook:${seq}`, data };
}
