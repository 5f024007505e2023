import type { SettledEvent } from '../../../events/hook-event.ts';
import type { TraceStep } from '../../../pipeline/define/hook.ts';

type Holder = Readonly<Record<string, unknown>>;

const of = (value: unknown): Holder => Object(value) as Holder;
const isText = (value: unknown): value is string => typeof value === 'string';
const mayBe = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value);
const maybeText = mayBe(isText);
const isUsage = mayBe(
  (value) => Number.isFinite(of(value)['inputTokens']) && Number.isFinite(of(value)['outputTokens']),
);
const roles: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];
const stages: readonly unknown[] = ['on', 'through', 'around', 'approve'];
const effects: readonly unknown[] = ['passed', 'changed', 'decided', 'skipped', 'failed'];
const isMessage = (value: unknown) => roles.includes(of(value)['role']) && areParts(of(value)['parts']);
const areMessages = (value: unknown) => Array.isArray(value) && value.every(isMessage);
const isCall = (value: unknown) => isText(of(value)['id']) && isText(of(value)['name']);

/** The fields that the page requires, by type; other fields are checked when they are displayed. */
const holds: Readonly<Record<SettledEvent['type'], (event: Holder) => boolean>> = {
  preCall: ({ messages }) => areMessages(messages),
  preReasoning: ({ messages, tools }) => areMessages(messages) && Array.isArray(tools),
  reasoningChunk: ({ delta, part }) => isText(delta) && isText(part),
  postReasoning: ({ message, usage }) => isMessage(message) && isUsage(usage),
  preActing: ({ toolCall }) => isCall(toolCall),
  actingChunk: ({ toolCall, content }) => isCall(toolCall) && isText(content),
  postActing: ({ toolCall, result, outcome }) => isCall(toolCall) && isText(of(result)['content']) && isText(outcome),
  postCall: ({ outcome, message, reason, usage }) =>
    isText(outcome) && mayBe(isMessage)(message) && maybeText(reason) && isUsage(usage),
  error: ({ error, source }) => isText(of(error)['message']) && isText(source),
};

/** Returns whether a value has the fields of an event that the page requires. A file may contain anything. */
export function isEvent(value: unknown): value is SettledEvent {
  const { type, run, seq, time, notes = [] } = of(value);
  if (!isText(type) || !Object.hasOwn(holds, type) || typeof seq !== 'number' || !Number.isFinite(time)) return false;
  const { runId, agent, sessionId, depth, userId, resumedFrom } = of(run);
  if (!isText(runId) || !isText(agent) || !isText(sessionId) || !Array.isArray(notes)) return false;
  if (!Number.isFinite(depth) || !maybeText(userId) || !maybeText(resumedFrom)) return false;
  return holds[type as SettledEvent['type']](value as Holder);
}

/** Returns the valid steps of a trace. */
export function stepsIn(value: unknown): readonly TraceStep[] {
  if (!Array.isArray(value)) return [];
  return value.every(isStep) ? value : value.filter(isStep);
}

function isStep(value: unknown): boolean {
  const { hook, effect, stage, ms, decision, reason, paths = [], changes = [] } = of(value);
  const isWhole = isText(hook) && effects.includes(effect) && stages.includes(stage) && typeof ms === 'number';
  return (
    isWhole &&
    maybeText(decision) &&
    maybeText(reason) &&
    Array.isArray(paths) &&
    paths.every(isText) &&
    Array.isArray(changes) &&
    changes.every((change) => isText(of(change)['path']))
  );
}

function areParts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPart);
}

function isPart(value: unknown): boolean {
  const { type, text, toolCall, result, toolName, url } = of(value);
  if (type === 'text' || type === 'thinking') return isText(text);
  if (type === 'toolCall') return isCall(toolCall);
  return type === 'toolResult' ? isText(of(result)['content']) && isText(toolName) : isText(url);
}
