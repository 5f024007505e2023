import { isChunk } from '../events/chunk-text.ts';
import type { HookEvent } from '../events/hook-event.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import { canonicalJson } from '../events/values/canonical-json.ts';
import type { JsonValue } from '../events/values/json-value.ts';
import { APPROVED_WHEN_ASKED, DECLINED, type TraceStep, type Verdict } from '../pipeline/define/hook.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { applyStep } from './undo-steps.ts';

/** What hooks did in a recorded run. */
export interface RecordedEffects {
  /** Returns the event as a hook then left this one, or `undefined` if it did nothing. */
  applied(hook: string, event: HookEvent): HookEvent | undefined;
  /** Returns what an approver then answered about this call, or `undefined` if the call was another one. `asked`: a person declined it. */
  verdict(hook: string, toolCall: ToolCall): Verdict | undefined;
  /** Number of recorded effects that could not be applied, because the values differ or are not recorded. */
  readonly unknown: number;
}

/** Reads the effects of hooks from the events of one run. */
export function recordedEffects(reports: readonly TraceReport[]): RecordedEffects {
  const byKey = new Map<string, TraceReport>();
  for (const report of reports) {
    if (isChunk(report.event)) continue;
    const key = keyOf(report.event);
    if (!byKey.has(key)) byKey.set(key, report);
  }
  let unknown = 0;

  return {
    get unknown() {
      return unknown;
    },
    applied(hook, event) {
      const report = byKey.get(keyOf(event));
      const step = report?.steps.find(
        (one) => one.hook === hook && one.stage === 'on' && (one.effect === 'changed' || one.effect === 'decided'),
      );
      if (!report || !step) return undefined;
      const made = applyStep(event, step);
      const { decision } = report.event;
      const decided = step.effect === 'decided' && decision !== undefined && 'by' in decision && decision.by === hook;
      if (made && (step.effect === 'changed' || decided)) return (decided ? { ...made, decision } : made) as HookEvent;
      unknown += 1;
      return undefined;
    },
    verdict(hook, toolCall) {
      const report = byKey.get(`preActing ${toolCall.id}`);
      const event = report?.event;
      if (event?.type !== 'preActing' || !isSame(event.toolCall, toolCall)) return undefined;
      const { decision } = event;
      if (decision && 'by' in decision && decision.by === hook) {
        const isDeclined = report?.steps.some(({ stage, reason }) => stage === 'approve' && reason === DECLINED);
        if (decision.action === 'deny')
          return { verdict: 'denied', reason: decision.reason, ...(isDeclined && { asked: true }) };
        if (decision.action === 'suspend') return { verdict: 'suspended', prompt: decision.prompt };
      }
      const isAnswer = (step: TraceStep) =>
        step.hook === hook && step.stage === 'approve' && step.reason === APPROVED_WHEN_ASKED;
      return report?.steps.some(isAnswer) ? { verdict: 'approved', reason: APPROVED_WHEN_ASKED } : undefined;
    },
  };
}

/** Identifies an event within its run, also in a replay. */
export function keyOf(event: HookEvent): string {
  if ('toolCall' in event && event.type !== 'error') return `${event.type} ${event.toolCall.id}`;
  const attempt = 'attempt' in event ? event.attempt : 1;
  const call = 'toolCall' in event ? event.toolCall.id : '';
  return `${event.type} ${event.iteration} ${attempt} ${call}`;
}

function isSame(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && canonicalJson(a.input as JsonValue) === canonicalJson(b.input as JsonValue);
}
