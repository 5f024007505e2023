import { HooklineError } from '../../../errors.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** Old names of the agent's kinds, in the order of their old numbers (`hook.event`, up to 0.2.8). */
const LEGACY = {
  turn_start: 'agent.turn.start',
  turn_end: 'agent.turn.end',
  llm_request: 'agent.llm.request',
  llm_delta: 'agent.llm.delta',
  llm_response: 'agent.llm.response',
  llm_retry: 'agent.llm.retry',
  context_compress: 'agent.context.compress',
  session_summarize: 'agent.session.summarize',
  tool_exec_start: 'agent.tool.exec_start',
  tool_exec_end: 'agent.tool.exec_end',
  tool_exec_skipped: 'agent.tool.exec_skipped',
  steering_injected: 'agent.steering.injected',
  follow_up_queued: 'agent.follow_up.queued',
  interrupt_received: 'agent.interrupt.received',
  subturn_spawn: 'agent.subturn.spawn',
  subturn_end: 'agent.subturn.end',
  subturn_result_delivered: 'agent.subturn.result_delivered',
  subturn_orphan: 'agent.subturn.orphan',
  error: 'agent.error',
} as const;

export type AgentKind = (typeof LEGACY)[keyof typeof LEGACY];

/** One of their events: its kind and payload (PascalCase, durations in nanoseconds). */
export interface RuntimeEvent {
  readonly kind: AgentKind;
  readonly severity: 'info' | 'warn' | 'error';
  readonly payload: JsonObject;
}

const AGENT_KINDS: readonly string[] = Object.values(LEGACY);

/** Kinds of their host without a counterpart in Hookline. A subscription is valid but never receives events. */
const HOST_KINDS = [
  ...['started', 'initialized', 'start_failed', 'stopped'].map((one) => `channel.lifecycle.${one}`),
  ...['registered', 'unregistered'].map((one) => `channel.webhook.${one}`),
  ...['outbound_queued', 'outbound_sent', 'outbound_failed'].map((one) => `channel.message.${one}`),
  'channel.rate_limited',
  'bus.publish.failed',
  ...['started', 'completed', 'drained'].map((one) => `bus.close.${one}`),
  ...['start', 'ready', 'shutdown'].map((one) => `gateway.${one}`),
  ...['started', 'completed', 'failed'].map((one) => `gateway.reload.${one}`),
  ...['connected', 'connecting', 'failed'].map((one) => `mcp.server.${one}`),
  'mcp.tool.discovered',
  ...['start', 'end'].map((one) => `mcp.tool.call.${one}`),
];

/** Kinds that our nine events convert to. The others are never sent. */
const REPORTED_KINDS: readonly AgentKind[] = [
  'agent.turn.start',
  'agent.turn.end',
  'agent.llm.request',
  'agent.llm.delta',
  'agent.llm.response',
  'agent.llm.retry',
  'agent.context.compress',
  'agent.session.summarize',
  'agent.tool.exec_start',
  'agent.tool.exec_end',
  'agent.tool.exec_skipped',
  'agent.steering.injected',
  'agent.interrupt.received',
  'agent.subturn.spawn',
  'agent.subturn.end',
  'agent.error',
];

/** Returns the number of a kind in `hook.event`. */
export function legacyNumber(kind: AgentKind): number {
  return AGENT_KINDS.indexOf(kind);
}

/**
 * Returns the kinds of a list of old and new names. An empty name, `*` or `all` means all kinds except deltas. Deltas must be named, because there is
 * one per chunk. An unknown name throws `OPTIONS_INVALID`.
 */
export function toKinds(
  hook: string,
  names: readonly string[],
): { readonly reported: Set<AgentKind>; readonly never: string[] } {
  const reported = new Set<AgentKind>();
  const never: string[] = [];
  for (const name of names) {
    if (name === '' || name === '*' || name === 'all') {
      for (const kind of REPORTED_KINDS) if (kind !== 'agent.llm.delta') reported.add(kind);
      continue;
    }
    const kind = Object.hasOwn(LEGACY, name) ? LEGACY[name as keyof typeof LEGACY] : name;
    if (REPORTED_KINDS.includes(kind as AgentKind)) reported.add(kind as AgentKind);
    else if (AGENT_KINDS.includes(kind) || HOST_KINDS.includes(kind)) never.push(name);
    else throw new HooklineError('OPTIONS_INVALID', `Process hook "${hook}": unsupported observe event "${name}".`);
  }
  return { reported, never };
}
