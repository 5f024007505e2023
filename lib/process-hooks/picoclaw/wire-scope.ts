import type { HookEvent } from '../../events/hook-event.ts';
import type { JsonObject, JsonValue } from '../../events/json-value.ts';
import type { RunInfo } from '../../events/run-info.ts';
import { isRecord } from './member.ts';

/** What a run is told with, in every request of it: no run changes. */
interface Surroundings extends JsonObject {
  readonly context: JsonObject;
  readonly channel: JsonValue;
  readonly chat_id: JsonValue;
}

const surroundings = new WeakMap<RunInfo, Surroundings>();

/** What stands in every request: who runs (`meta`, PascalCase), for whom (`context`), and the two top-level members of older hosts. */
export function wireScope({ run, iteration }: HookEvent, tracePath: string): JsonObject {
  const { runId, sessionId, agent, parentRunId } = run;
  const { context, channel, chat_id } = surroundingsOf(run);
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
    context,
    channel,
    chat_id,
  };
}

function surroundingsOf(run: RunInfo): Surroundings {
  const known = surroundings.get(run);
  if (known) return known;
  const { sessionId, userId, agent, metadata } = run;
  const inbound = inboundOf(metadata, sessionId, userId);
  const channel = inbound['channel'] ?? '';
  const scope = { version: 1, agent_id: agent, channel, account: '', dimensions: [], values: {} };
  const route = {
    AgentID: agent,
    Channel: channel,
    AccountID: '',
    SessionPolicy: { Dimensions: [], IdentityLinks: null },
    MatchedBy: '',
  };
  const made = { context: { inbound, route, scope }, channel, chat_id: inbound['chat_id'] ?? '' };
  surroundings.set(run, made);
  return made;
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
