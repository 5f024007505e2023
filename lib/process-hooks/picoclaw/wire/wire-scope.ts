import type { HookEvent } from '../../../events/hook-event.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { jsonFields } from '../../json-fields.ts';

/** Fields of the agent (`meta`, PascalCase) and the user (`context`), as every hook receives them. */
export interface WireScope {
  readonly meta: JsonObject;
  readonly context: JsonObject;
}

/** Fields of a run in each of its requests. They are created once, because runs do not change. */
interface Surroundings extends WireScope {
  /** JSON of the fields of `meta`, without braces. */
  readonly who: string;
  /** JSON of `context` and of the two top-level fields of older hosts, without braces. */
  readonly where: string;
}

const surroundings = new WeakMap<RunInfo, Surroundings>();

/** Returns the fields for an event. */
export function wireScope({ run, iteration }: HookEvent, tracePath: string): WireScope {
  const { meta, context } = surroundingsOf(run);
  return { meta: { ...meta, Iteration: iteration, TracePath: tracePath }, context };
}

/**
 * Serializes the params of a request: the fields of every request, then its own fields (or their JSON without braces). `tracePath`
 * is an addition of Hookline.
 */
export function wireParams({ run, iteration }: HookEvent, tracePath: string, own: JsonObject | string): string {
  const { who, where } = surroundingsOf(run);
  // Written by hand, because most of a request does not change within a run. Serializing it again costs as much as sending it.
  return `{"meta":{${who},"Iteration":${iteration},"TracePath":"${tracePath}"},${where},${typeof own === 'string' ? own : jsonFields(own)}}`;
}

function surroundingsOf(run: RunInfo): Surroundings {
  const known = surroundings.get(run);
  if (known) return known;
  const { runId, sessionId, userId, agent, parentRunId, metadata } = run;
  const meta = {
    AgentID: agent,
    TurnID: runId,
    ParentTurnID: parentRunId ?? '',
    SessionKey: sessionId,
    Source: 'runTurn',
  };
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
  const context = { inbound, route, scope };
  const where = { context, channel, chat_id: inbound['chat_id'] ?? '' };
  const made = { meta, context, who: jsonFields(meta), where: jsonFields(where) };
  surroundings.set(run, made);
  return made;
}

/** `run.metadata` may contain the source of a message: `channel`, `chat_id`, and other fields of their `inbound`. */
function inboundOf(metadata: JsonObject | undefined, sessionId: string, userId: string | undefined): JsonObject {
  const given = metadata?.['inbound'];
  const own = isObject(given) ? (given as JsonObject) : {};
  const chat = metadata?.['chat_id'] ?? metadata?.['chatId'] ?? sessionId;
  const named: Record<string, JsonValue> = {
    channel: metadata?.['channel'] ?? 'hookline',
    chat_id: chat,
    sender_id: userId ?? '',
  };
  return { ...named, ...own };
}
