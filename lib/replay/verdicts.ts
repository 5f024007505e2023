import { canonicalJson } from '../events/values/canonical-json.ts';
import type { JsonValue } from '../events/values/json-value.ts';
import { APPROVED_WHEN_ASKED } from '../pipeline/define/hook.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { keyOf } from './recorded-effects.ts';
import { WOULD_ASK } from './standing-hooks.ts';

/** What hooks decide about a call, a prompt or an answer. `unknown`: the judged value is redacted in the recording. */
export type VerdictAction = 'allow' | 'respond' | 'ask' | 'deny' | 'abort' | 'unknown';

/** What hooks decided about one event. */
export interface EventVerdict {
  readonly key: string;
  readonly what: 'prompt' | 'answer' | 'call' | 'result';
  readonly action: VerdictAction;
  readonly seq: number;
  /** The hook that decided. */
  readonly by?: string;
  readonly reason?: string;
  readonly tool?: string;
  /** The value that settled: the input of a call, or the text of a message. */
  readonly value: string;
}

const kinds = { preCall: 'prompt', postReasoning: 'answer', preActing: 'call', postActing: 'result' } as const;

/** Returns the verdicts of a run, by the key of their event. A denied call has no result to compare. */
export function verdictsOf(reports: readonly TraceReport[]): ReadonlyMap<string, EventVerdict> {
  const verdicts = new Map<string, EventVerdict>();
  for (const report of reports) {
    const { event } = report;
    const what = kinds[event.type as keyof typeof kinds];
    if (what === undefined || (event.type === 'postActing' && event.outcome !== 'executed')) continue;
    const key = keyOf(event);
    verdicts.set(key, { key, what, seq: event.seq ?? 0, ...verdictOf(report), value: settledValue(event) });
  }
  return verdicts;
}

function verdictOf({ event, steps }: TraceReport): Pick<EventVerdict, 'action' | 'by' | 'reason' | 'tool'> {
  const tool = 'toolCall' in event ? { tool: event.toolCall.name } : {};
  const { decision } = event;
  if (decision) {
    const { action } = decision;
    const by = 'by' in decision && decision.by !== undefined && { by: decision.by };
    const reason = 'reason' in decision && { reason: decision.reason };
    if (action === 'suspend') return { action: 'ask', ...by, ...tool, reason: decision.prompt };
    if (action === 'deny' || action === 'abort' || action === 'respond') return { action, ...by, ...reason, ...tool };
  }
  const asks = steps.find(({ reason }) => reason === APPROVED_WHEN_ASKED || reason?.startsWith(WOULD_ASK));
  if (asks?.reason !== undefined) return { action: 'ask', by: asks.hook, reason: asks.reason, ...tool };
  return { action: 'allow', ...tool };
}

function settledValue(event: TraceReport['event']): string {
  if (event.type === 'preActing') return canonicalJson(event.toolCall.input as JsonValue);
  if (event.type === 'postActing') return event.result.content;
  if (event.type === 'postReasoning') return textsOf([event.message]);
  return event.type === 'preCall' ? textsOf(event.messages) : '';
}

function textsOf(messages: readonly { readonly parts: readonly { readonly type: string }[] }[]): string {
  return messages
    .flatMap(({ parts }) => parts)
    .map((part) => ('text' in part ? String(part.text) : ''))
    .join('\n');
}
