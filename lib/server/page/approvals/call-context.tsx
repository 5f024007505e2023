import type { HookEvent } from '../../../events/hook-event.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { Text } from '../ui/text.tsx';

interface Step {
  readonly from: string;
  readonly text: string;
}

const MOST_TEXT = 1_000;

/** The steps of the run before a pending call: prompt, answers, calls and results. */
export function CallContext({ of, toolCallId }: { readonly of: readonly JsonObject[]; readonly toolCallId: string }) {
  const steps = of.flatMap((event) => stepsOf(event as unknown as HookEvent, toolCallId));
  if (steps.length === 0) return null;
  return (
    <details class="call-context">
      <summary>Context: {steps.length === 1 ? '1 step' : `${steps.length} steps`} of the run</summary>
      <ol>
        {steps.map(({ from, text }, at) => (
          <li key={at}>
            <Text in="span" class="faint" of={from} />
            <Text in="span" class="context-text" of={text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function stepsOf(event: HookEvent, toolCallId: string): readonly Step[] {
  const { agent } = event.run;
  const steps: Step[] = [];
  if (event.type === 'preCall')
    for (const message of event.messages) steps.push({ from: message.role, text: textOf(message) });
  if (event.type === 'postReasoning') steps.push({ from: agent, text: textOf(event.message) });
  if (event.type === 'preActing' && event.toolCall.id !== toolCallId)
    steps.push({ from: `${agent} calls ${event.toolCall.name}`, text: JSON.stringify(event.toolCall.input) });
  if (event.type === 'postActing')
    steps.push({ from: `${event.toolCall.name} ${event.outcome}`, text: event.result.content });
  if (event.type === 'error') steps.push({ from: 'error', text: event.error.message });
  return steps.filter(({ text }) => text !== '');
}
