import type { Attributes, TimeInput } from '@opentelemetry/api';
import type { SettledEvent } from '../events/hook-event.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import type { PreActing } from '../events/pre-acting.ts';
import { isObject } from '../events/values/is-object.ts';
import type { TraceStep } from '../pipeline/define/hook.ts';
import { outcomeOf } from './outcome.ts';
import type { RunSpans } from './run-spans.ts';
import { GEN_AI, OWN } from './semconv.ts';

/** The source of a decision: a person, a rule, or a timeout. */
type DecisionSource = 'human' | 'policy' | 'timeout';

type Call = SettledEvent<PreActing>;

/**
 * Adds an event to the span of the run if a call does not run as the model requested it. Such a call has no span. Also ends the wait of a call
 * that was suspended in an earlier run.
 */
export function callDecided(spans: RunSpans, event: Call, steps: readonly TraceStep[]): void {
  const waited = resumedWait(spans, event);
  const { decision, toolCall } = event;
  if (!decision) return;
  const { action, by } = decision;
  if (action === 'suspend') suspended(spans, event);
  const { content, settings } = spans.kit;
  const reason = 'reason' in decision && content ? settings.clean(decision.reason) : undefined;
  spans.span?.addEvent(OWN.toolDecision, {
    [OWN.toolDecision]: action,
    [GEN_AI.toolName]: toolCall.name,
    [GEN_AI.toolCall]: toolCall.id,
    ...(by !== undefined && { [OWN.decisionBy]: by }),
    ...(action === 'deny' && {
      [OWN.decisionSource]:
        waited ??
        sourceOf(
          event,
          by,
          steps.find(({ hook }) => hook === by),
        ),
    }),
    ...(reason !== undefined && { [OWN.decisionReason]: reason }),
  });
}

/** Returns the source of a verdict, by its note, or by the reason that approvers give. */
export function sourceOf({ decision, notes = [] }: Call, by: string | undefined, step?: TraceStep): DecisionSource {
  if (notes.some((note) => note.code === 'answered' && note.by === by)) return 'human';
  const reason = decision?.action === 'deny' && decision.by === by ? decision.reason : '';
  if (/did not answer within/.test(reason) || (step && outcomeOf(step) === 'timeout')) return 'timeout';
  return /\bthe user\b/.test(reason) ? 'human' : 'policy';
}

/** Emits the span and the metric of the wait for an approval. */
export function approvalWaited(
  spans: RunSpans,
  { toolCall }: Call,
  { outcome, source, startTime, endTime, ms, by }: ApprovalWait,
): void {
  const { kit, run } = spans;
  const told: Attributes = { [OWN.approvalOutcome]: outcome, [OWN.approvalSource]: source };
  const given = answerTo(run, toolCall.id);
  kit.tracer
    .startSpan(
      `approval ${toolCall.name}`,
      {
        startTime,
        attributes: {
          ...told,
          [OWN.approval]: typeof given?.['id'] === 'string' ? given['id'] : toolCall.id,
          [GEN_AI.toolName]: toolCall.name,
          [GEN_AI.toolCall]: toolCall.id,
          ...(by !== undefined && { [OWN.handler]: by }),
        },
      },
      spans.ctx,
    )
    .end(endTime);
  kit.metrics?.waited({ ...told, [GEN_AI.toolName]: toolCall.name }, ms);
}

/** The wait for an answer. */
interface ApprovalWait {
  readonly outcome: 'approve' | 'deny' | 'suspend';
  readonly source: DecisionSource;
  readonly startTime: TimeInput;
  readonly endTime: TimeInput;
  readonly ms: number;
  readonly by?: string;
}

function suspended({ cell, kit }: RunSpans, { toolCall, time }: Call): void {
  kit.metrics?.pending(1, { [GEN_AI.toolName]: toolCall.name });
  cell?.update((saved) => ({ ...saved, pending: { ...saved.pending, [toolCall.id]: time } }));
}

/** Returns the source of the answer to a call that was suspended in an earlier run. */
function resumedWait(spans: RunSpans, event: Call): DecisionSource | undefined {
  const { cell, run, kit } = spans;
  const { toolCall, decision, time } = event;
  const since = run.resumedFrom === undefined ? undefined : cell?.get().pending[toolCall.id];
  if (since === undefined) return undefined;
  cell?.update(({ pending: { [toolCall.id]: _, ...pending }, ...saved }) => ({ ...saved, pending }));
  kit.metrics?.pending(-1, { [GEN_AI.toolName]: toolCall.name });
  if (decision?.action === 'suspend') return undefined;
  const expired = answerTo(run, toolCall.id)?.['expired'] === true;
  const source = expired ? 'timeout' : 'human';
  const [now, ms] = [Date.now(), time - since];
  const outcome = decision?.action === 'deny' || decision?.action === 'abort' ? 'deny' : 'approve';
  approvalWaited(spans, event, { outcome, source, startTime: new Date(now - ms), endTime: new Date(now), ms });
  return source;
}

/** Returns the approval with which a server resumed the run. In other runs, the metadata may be anything. */
function answerTo({ resumedFrom, metadata }: RunInfo, toolCallId: string) {
  const approvals = metadata?.['approvals'];
  if (resumedFrom === undefined || !Array.isArray(approvals)) return undefined;
  return approvals.filter(isObject).find((one) => one['toolCallId'] === toolCallId);
}
