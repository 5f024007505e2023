import type { PreReasoning } from '../../../events/pre-reasoning.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import type { RuntimeEvent } from './runtime-kinds.ts';

/** Converts the notes of the hook `auto-context` to events about its changes of a request. */
export function contextEvents({ notes = [] }: PreReasoning): RuntimeEvent[] {
  return notes.flatMap(({ code, data }): RuntimeEvent[] => {
    const fields = (data ?? {}) as { readonly [name: string]: JsonValue };
    const number = (name: string): number => (typeof fields[name] === 'number' ? fields[name] : 0);
    if (code === 'context-compressed') {
      const payload = {
        Reason: fields['reason'] === 'refused' ? 'llm_retry' : 'proactive_budget',
        DroppedMessages: number('droppedMessages'),
        RemainingMessages: number('remainingMessages'),
      };
      return [{ kind: 'agent.context.compress', severity: 'warn', payload }];
    }
    if (code !== 'context-summarised') return [];
    const payload = {
      SummarizedMessages: number('summarisedMessages'),
      KeptMessages: number('keptMessages'),
      SummaryLen: number('summaryLength'),
      OmittedOversized: false,
    };
    return [{ kind: 'agent.session.summarize', severity: 'info', payload }];
  });
}
