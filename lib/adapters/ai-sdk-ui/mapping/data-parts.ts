import { hookFacts } from '../../../chat/hook-facts.ts';
import type { ActingChunk } from '../../../events/acting-chunk.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { UiMessageChunk } from '../ui-message-chunk.ts';
import type { WaitingCall } from './suspended-calls.ts';

// Data parts for content that the stream has no parts for. A part with an id replaces the previous one with that id.

/** Names the parts that the client should hide, by id. */
export function retractedPart(id: string, ids: readonly string[]): UiMessageChunk {
  return { type: 'data-retracted', id, data: { ids: [...ids] } };
}

/** Describes a pending call, or its answer. */
export function approvalPart(call: WaitingCall, toolCallId: string, state: string): UiMessageChunk {
  const { id, tool, agent, prompt, by, asks, hash, expiresAt, inline } = call;
  const facts = Object.entries({ agent, prompt, by, asks, hash, expiresAt, inline });
  return {
    type: 'data-approval',
    id,
    data: {
      ...(Object.fromEntries(facts.filter(([, fact]) => fact !== undefined)) as JsonObject),
      id,
      toolCallId,
      tool,
      state,
    },
  };
}

/** Describes the run of a sub-agent: `running`, or its outcome. */
export function subagentPart({ runId, agent, parentRunId }: RunInfo, state: string): UiMessageChunk {
  const data: JsonObject = { runId, agent, ...(parentRunId !== undefined && { parentRunId }), state };
  return { type: 'data-subagent', id: runId, data };
}

/** Contains progress of a running tool. The message does not store it. */
export function toolOutputPart({ content, attempt, last }: ActingChunk, toolCallId: string): UiMessageChunk {
  return { type: 'data-tool-output', data: { toolCallId, content, attempt, last }, transient: true };
}

/** Describes the actions of hooks, by name, code and path. Contains no text or values of hooks. Returns `undefined` if no hook acted. */
export function hookPart(event: SettledEvent): UiMessageChunk | undefined {
  const { type, run, seq } = event;
  const failed = 'hook' in event ? event.hook : undefined;
  const facts = hookFacts(event);
  if (!facts && failed === undefined) return undefined;
  const data: JsonObject = { event: type, runId: run.runId, seq, ...(failed !== undefined && { failed }), ...facts };
  return { type: 'data-hook', id: `${run.runId}:hook:${seq}`, data };
}
