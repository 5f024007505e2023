import type { SettledEvent } from '../../../events/hook-event.ts';
import { textOf, toolCallsOf } from '../../../events/parts/messages.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { wireScope } from '../wire/wire-scope.ts';
import { contextEvents } from './context-events.ts';
import { gracefulEvents, interrupted, steeringEvents } from './interrupt-events.ts';
import { type AgentKind, legacyNumber, type RuntimeEvent } from './runtime-kinds.ts';
import type { TurnRecord } from './turn-records.ts';

/** Converts one of our events to none, one or two of theirs. `turn` is the record of its run, including this event. */
export function toRuntimeEvents(event: SettledEvent, turn: TurnRecord): RuntimeEvent[] {
  const { run } = event;
  const one = (kind: AgentKind, payload: JsonObject, severity: RuntimeEvent['severity'] = 'info') => [
    { kind, payload, severity },
  ];
  switch (event.type) {
    case 'preCall': {
      const text = event.messages.map(textOf).join('\n');
      const media = event.messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'media').length;
      const spawn = { AgentID: run.agent, Label: run.agent, ParentTurnID: run.parentRunId ?? '' };
      return [
        ...(run.depth > 0 ? one('agent.subturn.spawn', spawn) : []),
        ...one('agent.turn.start', { UserMessage: text, MediaCount: media }),
      ];
    }
    case 'preReasoning':
      return [
        ...steeringEvents(turn.steering),
        ...gracefulEvents(event),
        ...contextEvents(event),
        ...one('agent.llm.request', {
          Model: event.model ?? '',
          MessagesCount: event.messages.length,
          ToolsCount: event.tools.length,
          MaxTokens: event.options.maxOutputTokens ?? 0,
          Temperature: event.options.temperature ?? 0,
        }),
      ];
    case 'reasoningChunk': {
      if (event.part === 'toolInput' || event.delta === '') return [];
      const { length } = event.delta;
      const thinking = event.part === 'thinking';
      return one('agent.llm.delta', {
        ContentDeltaLen: thinking ? 0 : length,
        ReasoningDeltaLen: thinking ? length : 0,
      });
    }
    case 'postReasoning':
      return one('agent.llm.response', {
        ContentLen: textOf(event.message).length,
        ToolCalls: toolCallsOf(event.message).length,
        HasReasoning: event.message.parts.some(({ type }) => type === 'thinking'),
      });
    case 'preActing':
      return event.decision && event.decision.action !== 'respond'
        ? []
        : one('agent.tool.exec_start', { Tool: event.toolCall.name, Arguments: event.toolCall.input });
    case 'postActing':
      return afterTool(event);
    case 'postCall': {
      const failed = event.outcome === 'failed';
      const aborted = event.outcome === 'aborted' || event.outcome === 'cancelled';
      const status = failed ? 'error' : aborted ? 'aborted' : 'completed';
      const text = event.message ? textOf(event.message) : '';
      return [
        ...(event.outcome === 'cancelled' ? [interrupted('hard_abort')] : []),
        ...one(
          'agent.turn.end',
          {
            ...NOT_OURS,
            Status: status,
            Iterations: event.iteration,
            Duration: turn.began === undefined ? 0 : nanoseconds(event.time - turn.began),
            FinalContentLen: text.length,
            UserMessage: turn.userMessage,
            FinalContent: text,
            ToolKinds: [...turn.toolKinds],
            ToolExecutions: [...turn.toolExecutions],
          },
          failed ? 'error' : aborted ? 'warn' : 'info',
        ),
        ...(run.depth > 0 ? one('agent.subturn.end', { AgentID: run.agent, Status: status }) : []),
      ];
    }
    case 'error': {
      if (event.phase === 'reasoning' && event.decision?.action === 'retry')
        return one(
          'agent.llm.retry',
          { Attempt: turn.retries, MaxRetries: 0, Reason: event.source, Error: event.error.message, Backoff: 0 },
          'warn',
        );
      return one(
        'agent.error',
        { Stage: event.phase === 'reasoning' ? 'llm' : event.phase, Message: event.error.message },
        'error',
      );
    }
    case 'actingChunk':
      return [];
  }
}

function afterTool(event: Extract<SettledEvent, { type: 'postActing' }>): RuntimeEvent[] {
  const { toolCall, result, outcome } = event;
  if (outcome === 'denied' || outcome === 'skipped')
    return [
      { kind: 'agent.tool.exec_skipped', severity: 'warn', payload: { Tool: toolCall.name, Reason: result.content } },
    ];
  const payload = {
    Tool: toolCall.name,
    Duration: nanoseconds(event.durationMs),
    ForLLMLen: result.content.length,
    ForUserLen: result.forUser?.length ?? 0,
    IsError: result.isError,
    Async: result.async ?? false,
  };
  return [{ kind: 'agent.tool.exec_end', severity: result.isError ? 'warn' : 'info', payload }];
}

export function runtimeParams(event: SettledEvent, runtimeEvent: RuntimeEvent, nth: number): JsonObject {
  const { meta, context } = wireScope(event, traceOf(runtimeEvent.kind));
  const inbound = context['inbound'] as JsonObject;
  const scope: Record<string, JsonValue> = {
    agent_id: event.run.agent,
    session_key: event.run.sessionId,
    turn_id: event.run.runId,
    ...inbound,
  };
  return {
    id: `evt-${nth}`,
    kind: runtimeEvent.kind,
    time: new Date(event.time).toISOString(),
    source: { component: 'agent', name: event.run.agent },
    scope,
    correlation: {
      trace_id: traceOf(runtimeEvent.kind),
      ...(event.run.parentRunId !== undefined && { parent_turn_id: event.run.parentRunId }),
    },
    severity: runtimeEvent.severity,
    payload: runtimeEvent.payload,
    attrs: { agent_source: meta['Source'] as string, iteration: event.iteration },
  };
}

/** Returns the params of `hook.event` in the format of hosts up to 0.2.8, where the kind is a number. */
export function legacyParams(event: SettledEvent, runtimeEvent: RuntimeEvent): JsonObject {
  const { meta, context } = wireScope(event, traceOf(runtimeEvent.kind));
  return {
    Kind: legacyNumber(runtimeEvent.kind),
    Time: new Date(event.time).toISOString(),
    Meta: meta,
    Context: context,
    Payload: runtimeEvent.payload,
  };
}

/** Fields that only their host has, empty in its format. Scripts may read them without a check. */
const NOT_OURS: JsonObject = {
  Workspace: '',
  ActiveSkills: null,
  AttemptedSkills: null,
  FinalSuccessfulPath: null,
  SkillContextSnapshots: null,
};

function nanoseconds(ms: number): number {
  return Math.round(ms * 1_000_000);
}

/** Returns the trace path that their host would send. */
function traceOf(kind: AgentKind): string {
  if (kind.startsWith('agent.subturn.') || kind.startsWith('agent.turn.')) return kind.slice('agent.'.length);
  return kind.replace(/^agent\./, 'turn.').replace('.exec_', '.');
}
