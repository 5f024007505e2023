import type { HookEvent } from '../../events/hook-event.ts';
import type { JsonObject, JsonValue } from '../../events/json-value.ts';
import { isRecord } from './member.ts';

/** What stands in every request: who runs (`meta`, PascalCase), for whom (`context`), and the two top-level members of older hosts. */
export function wireScope({ run, iteration }: HookEvent, tracePath: string): JsonObject {
  const { runId, sessionId, userId, agent, parentRunId, metadata } = run;
  const inbound = inboundOf(metadata, sessionId, userId);
  return {
    meta: {
      AgentID: agent,
      TurnID: runId,
      ParentTurnID: parentRunId ?? '',
      SessionKey: sessionId,
      Iteration: iteration,
      TracePath: tracePath,
      Source: 'runTurn',
    },
    context: {
      inbound,
      scope: {
        version: 1,
        agent_id: agent,
        channel: inbound['channel'] ?? '',
        account: '',
        dimensions: [],
        values: {},
      },
    },
    channel: inbound['channel'] ?? '',
    chat_id: inbound['chat_id'] ?? '',
  };
}

/** `run.metadata` may say where a message came from: `channel`, `chat_id`, and whatever else an `inbound` of theirs has. */
function inboundOf(metadata: JsonObject | undefined, sessionId: string, userId: string | undefined): JsonObject {
  const given = metadata?.['inbound'];
  const own = isRecord(given) ? (given as JsonObject) : {};
  const chat = metadata?.['chat_id'] ?? metadata?.['chatId'] ?? sessionId;
  const named: Record<string, JsonValue> = {
    channel: metadata?.['channel'] ?? 'hookline',
    chat_id: chat,
    sender_id: userId ?? '',
  };
  return { ...named, ...own };
}
