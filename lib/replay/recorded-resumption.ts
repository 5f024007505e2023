import type { Answers } from '../agent/suspend/snapshot.ts';
import { type PendingCall, parseSnapshot, SNAPSHOT_VERSION, type Snapshot } from '../agent/suspend/snapshot.ts';
import { askedOf } from '../events/decisions/ask.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message, ToolResultPart } from '../events/parts/message.ts';
import { toolCallsOf } from '../events/parts/messages.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { Usage } from '../events/parts/usage.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { beforeHooks } from './undo-steps.ts';

/** The snapshot and the answers to resume a run with. */
export interface RecordedResumption {
  readonly snapshot: JsonObject;
  readonly answers: Answers;
}

/** Takes the place of the approver in an answer. An approver of the replay judges the call again. */
const RECORDED = 'the recording';

/** The calls before the first model request, as the run began with them and as they were judged. */
type Leading = { toolCall: ToolCall; judged?: ToolCall; waits?: Pick<PendingCall, 'by' | 'prompt' | 'asks'> };

/**
 * Returns the point where a resumed run continued, or `undefined` if the run was not resumed. `messages` are those of its first model request, and
 * `unanswered` those of users that came before it was suspended. The state of hooks is not in a recording, and begins empty.
 */
export function resumptionOf(
  reports: readonly TraceReport[],
  messages: readonly Message[],
  unanswered: readonly Message[],
  maxIterations: number,
): RecordedResumption | undefined {
  const { run, iteration } = (reports[0] as TraceReport).event;
  const { resumedFrom } = run;
  const leading = resumedFrom === undefined ? [] : leadingCalls(reports);
  const [first] = leading;
  if (resumedFrom === undefined || !first) return undefined;
  const left = snapshotAtEnd(reports);
  const at = pointOf(messages, left, leading);
  const still = new Map(left?.pending.map((call) => [call.toolCall.id, call]));
  const written = new Map(toolCallsOf(at.message).map((call) => [call.id, call]));
  const answers: Record<string, { approved: true }> = {};
  const pending = leading.map(({ toolCall, judged, waits }): PendingCall => {
    const { key = `${resumedFrom}/${toolCall.id}`, granted } = still.get(toolCall.id) ?? {};
    const asked = written.get(toolCall.id) ?? toolCall;
    // The answer is for the call that was judged. Another one waits.
    if (judged && !waits) answers[key] = { approved: true };
    const isEdited = JSON.stringify(asked) !== JSON.stringify(toolCall);
    return {
      ...{ key, toolCall: asked, ...(isEdited && { edited: toolCall }), ...(judged && { judged }) },
      ...(waits ?? { by: RECORDED, prompt: '' }),
      ...(granted && { granted }),
    };
  });
  const usage = usageBefore(reports);
  const snapshot: Snapshot = {
    version: SNAPSHOT_VERSION,
    run: { ...(run as RunInfo), runId: resumedFrom },
    transcript: [...at.transcript, at.message],
    settled: [...at.settled],
    finishing: at.finishing,
    pending: pending as [PendingCall, ...PendingCall[]],
    ...(unanswered.length > 0 && { steering: [...unanswered] }),
    state: {},
    iteration,
    maxIterations: Math.max(1, Math.min(maxIterations, Number.MAX_SAFE_INTEGER)),
    ...(left?.retries !== undefined && { retries: left.retries }),
    ...(usage && { usage }),
  };
  return { snapshot: snapshot as unknown as JsonObject, answers };
}

function leadingCalls(reports: readonly TraceReport[]): readonly Leading[] {
  const calls = new Map<string, Leading>();
  for (const { event, steps } of reports) {
    if (event.type === 'preReasoning') break;
    if (event.type === 'preActing') {
      const { decision, toolCall: judged } = event;
      const { toolCall } = beforeHooks(event, steps).event;
      const waits = decision?.action === 'suspend' && { waits: askedOf(decision) };
      calls.set(toolCall.id, { toolCall, judged, ...waits });
    } else if (event.type === 'postActing' && !calls.has(event.toolCall.id))
      calls.set(event.toolCall.id, { toolCall: event.toolCall });
  }
  return [...calls.values()];
}

interface Point {
  readonly transcript: readonly Message[];
  readonly message: Message;
  readonly settled: readonly ToolResultPart[];
  readonly finishing: boolean;
}

/** Finds the message with the calls in the first model request, or in the snapshot at the end of a run without one. */
function pointOf(messages: readonly Message[], left: Snapshot | undefined, leading: readonly Leading[]): Point {
  const ids = new Set(leading.map(({ toolCall }) => toolCall.id));
  const others = (parts: readonly ToolResultPart[]) => parts.filter(({ toolCallId }) => !ids.has(toolCallId));
  const has = (one: Message) => one.role === 'assistant' && toolCallsOf(one).some(({ id }) => ids.has(id));
  const at = messages.findLastIndex(has);
  if (at >= 0) {
    const [message, results] = messages.slice(at) as [Message, Message | undefined];
    const parts = results?.role === 'tool' ? results.parts.filter((part) => part.type === 'toolResult') : [];
    return { transcript: messages.slice(0, at), message, settled: others(parts), finishing: false };
  }
  const last = left?.transcript.at(-1);
  if (left && last && has(last)) {
    const { transcript, settled, finishing } = left;
    return { transcript: transcript.slice(0, -1), message: last, settled: others(settled), finishing };
  }
  const parts = leading.map(({ toolCall }) => ({ type: 'toolCall' as const, toolCall }));
  // A run that ends without a model request was to end after its calls.
  return { transcript: [], message: { role: 'assistant', parts }, settled: [], finishing: true };
}

function snapshotAtEnd(reports: readonly TraceReport[]): Snapshot | undefined {
  const end = reports.at(-1)?.event;
  if (end?.type !== 'postCall' || !end.snapshot) return undefined;
  try {
    return parseSnapshot(end.snapshot);
  } catch {
    return undefined;
  }
}

/** Returns the usage before the run: the total at its end without that of its answers. */
function usageBefore(reports: readonly TraceReport[]): Usage | undefined {
  const end = reports.at(-1)?.event;
  if (end?.type !== 'postCall' || !end.usage) return undefined;
  const used = reports.flatMap(({ event }) => usageOf(event));
  const rest = Object.entries(end.usage).map(([name, total]) => {
    const own = used.reduce((sum, usage) => sum + (usage[name as keyof Usage] ?? 0), 0);
    return [name, Math.max(0, total - own)];
  });
  return Object.fromEntries(rest);
}

function usageOf(event: SettledEvent): readonly Usage[] {
  return event.type === 'postReasoning' && event.usage ? [event.usage] : [];
}
