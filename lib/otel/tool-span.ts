import type { Attributes } from '@opentelemetry/api';
import type { Observable } from 'rxjs';
import type { EventOf } from '../events/hook-event.ts';
import type { ToolItem } from '../pipeline/define/tool.ts';
import { mark, type RunSpans } from './run-spans.ts';
import { GEN_AI, OWN } from './semconv.ts';
import { endStep, markFailed, measuredOf, type StepSpan } from './step-span.ts';
import { withinContext } from './within-context.ts';

/** Wraps the execution of a tool. All attempts of a call share one span, which stays open until the result has passed the hooks. */
export function traceTool(
  spans: RunSpans,
  event: EventOf<'preActing'>,
  items$: Observable<ToolItem>,
): Observable<ToolItem> {
  const { kit, tools } = spans;
  const { id } = event.toolCall;
  return withinContext(kit.api, spans.ctx, items$, () => {
    const step = tools.get(id) ?? startTool(spans, event);
    step.ended = undefined;
    step.error = undefined;
    return {
      inner: step.ctx,
      error(thrown) {
        step.error = { type: kit.errorType(thrown) };
      },
      complete() {},
      teardown() {
        step.ended = performance.now();
        if (!spans.span) endTool(spans, id, step);
      },
    };
  });
}

function startTool(spans: RunSpans, { toolCall, description }: EventOf<'preActing'>): StepSpan {
  const { kit, run } = spans;
  const { api, tracer, content } = kit;
  const measured: Attributes = { [GEN_AI.toolName]: toolCall.name };
  const span = tracer.startSpan(
    `execute_tool ${toolCall.name}`,
    {
      kind: api.SpanKind.INTERNAL,
      attributes: {
        [GEN_AI.operation]: 'execute_tool',
        ...measured,
        [GEN_AI.toolCall]: toolCall.id,
        [GEN_AI.toolType]: 'function',
      },
    },
    spans.ctx,
  );
  if (description !== '') span.setAttribute(GEN_AI.toolDescription, description);
  if (content && span.isRecording()) span.setAttribute(GEN_AI.toolArguments, content.value(toolCall.input));
  const step = {
    span,
    measured,
    began: performance.now(),
    ctx: mark(api.trace.setSpan(spans.ctx, span), run),
  };
  spans.tools.set(toolCall.id, step);
  spans.calls.tool += 1;
  return step;
}

/**
 * Completes the span with the result as the hooks left it. A call that did not run has no span, so the run gets an event: otherwise it would look as
 * if the model had never asked.
 */
export function toolEnded(spans: RunSpans, { toolCall, outcome, result }: EventOf<'postActing'>): void {
  const { kit } = spans;
  const step = spans.tools.get(toolCall.id);
  if (!step) {
    if (outcome !== 'denied')
      spans.span?.addEvent(OWN.toolOutcome, {
        [OWN.toolOutcome]: outcome,
        [GEN_AI.toolName]: toolCall.name,
        [GEN_AI.toolCall]: toolCall.id,
      });
    return;
  }
  const { span } = step;
  const failed = outcome === 'failed' || (outcome === 'executed' && result.isError);
  step.error = failed ? (step.error ?? { type: 'tool_error' }) : undefined;
  if (span.isRecording()) {
    span.setAttribute(OWN.toolOutcome, outcome);
    if (step.error) markFailed(kit, span, step.error);
    if (kit.content) span.setAttribute(GEN_AI.toolResult, kit.content.value(result.content));
  }
  endTool(spans, toolCall.id, step);
}

/** Ends the spans of calls that have no result, such as those suspended with their sub-agent. */
export function closeTools(spans: RunSpans, outcome: string): void {
  for (const [id, step] of spans.tools) {
    step.span.setAttribute(OWN.toolOutcome, outcome);
    endTool(spans, id, step);
  }
}

function endTool({ kit, tools }: RunSpans, id: string, step: StepSpan): void {
  if (tools.get(id) !== step) return;
  tools.delete(id);
  endStep(step);
  kit.metrics?.toolEnded(measuredOf(step), (step.ended ?? performance.now()) - step.began);
}
