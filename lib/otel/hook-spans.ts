import type { Attributes } from '@opentelemetry/api';
import { isChunk } from '../events/chunk-text.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { TraceStep } from '../pipeline/define/hook.ts';
import { approvalWaited, sourceOf } from './decisions.ts';
import { outcomeOf } from './outcome.ts';
import type { RunSpans } from './run-spans.ts';
import { ERROR_TYPE, OWN } from './semconv.ts';

/** Emits spans and metrics of what hooks did to an event. The times of wrappers and operators include their step or stream. */
export function traceHooks(spans: RunSpans, event: SettledEvent, steps: readonly TraceStep[]): void {
  const { kit } = spans;
  const chunk = isChunk(event);
  let end = performance.now();
  for (const step of steps.toReversed()) {
    if (step.effect === 'skipped' || step.hook === kit.settings.name) continue;
    const whole = step.stage === 'on' || step.stage === 'approve';
    // The clock of the pipeline may be virtual.
    const start = Math.max(0, end - step.ms);
    const outcome = outcomeOf(step);
    const stage = stageOf(event, step);
    const measured: Attributes = { [OWN.stage]: stage, [OWN.handler]: step.hook, [OWN.outcome]: outcome };
    const failed = outcome === 'error' || outcome === 'timeout' ? { [ERROR_TYPE]: outcome } : {};
    if (whole && !chunk) kit.metrics?.handled({ ...measured, ...failed }, step.ms);
    if (isApproval(event, step, kit.settings.slowMs))
      approvalWaited(spans, event, {
        outcome: outcome === 'pass' ? 'approve' : step.decision === 'suspend' ? 'suspend' : 'deny',
        source: sourceOf(event, step.hook, step),
        startTime: start,
        endTime: end,
        ms: step.ms,
        by: step.hook,
      });
    else if (isShown(spans, event, step, stage)) {
      const { decision, paths } = step;
      const span = kit.tracer.startSpan(
        `hook ${stage} ${step.hook}`,
        {
          startTime: start,
          attributes: {
            ...measured,
            ...failed,
            [OWN.priority]: step.priority,
            ...(paths && paths.length > 0 && { [OWN.changedPaths]: [...paths] }),
            ...(decision !== undefined && { [OWN.decision]: decision }),
          },
        },
        parentOf(spans, event),
      );
      if (ERROR_TYPE in failed)
        span.setStatus({ code: kit.api.SpanStatusCode.ERROR, message: kit.settings.clean(step.reason ?? '') });
      span.end(end);
    }
    if (whole) end = start;
  }
}

function stageOf(event: SettledEvent, { stage }: TraceStep): string {
  if (stage === 'approve') return stage;
  if (stage === 'around') return event.type === 'postActing' ? 'around.acting' : 'around.reasoning';
  return `${stage}.${event.type}`;
}

/** An approver that made the call wait, or that a person answered. */
function isApproval(
  event: SettledEvent,
  step: TraceStep,
  slowMs: number,
): event is Extract<SettledEvent, { type: 'preActing' }> {
  if (step.stage !== 'approve' || event.type !== 'preActing') return false;
  return step.ms >= slowMs || sourceOf(event, step.hook, step) !== 'policy';
}

function isShown({ kit, shown }: RunSpans, event: SettledEvent, step: TraceStep, stage: string): boolean {
  const { hooks, slowMs } = kit.settings;
  const slow = (step.stage === 'on' || step.stage === 'approve') && step.ms >= slowMs;
  const notable = slow || step.effect !== 'passed';
  if (!isChunk(event)) return hooks === 'all' || notable;
  if (!notable) return false;
  // One span for each stream, not for each chunk.
  const key = `${stage} ${step.hook} ${step.effect} ${'toolCall' in event ? event.toolCall.id : ''}`;
  if (shown.has(key)) return false;
  shown.add(key);
  return true;
}

function parentOf({ ctx, model, tools }: RunSpans, event: SettledEvent) {
  if (event.type === 'reasoningChunk') return model?.ctx ?? ctx;
  return (event.type === 'actingChunk' ? tools.get(event.toolCall.id)?.ctx : undefined) ?? ctx;
}
