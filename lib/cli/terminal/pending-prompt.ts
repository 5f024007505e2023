import type { PendingCall } from '../../agent/suspend/snapshot.ts';
import { askersOf } from '../../events/decisions/ask.ts';
import { harmlessText } from './harmless-text.ts';
import { shortJson } from './short-json.ts';

/** Returns the approval prompt for a call of a suspended run. */
export function pendingPrompt(call: PendingCall & { readonly agent: string }): string {
  const { agent, prompt } = call;
  const { name, input } = call.judged ?? call.toolCall;
  const askers = askersOf(call);
  const question = harmlessText(prompt ?? 'May it run?')
    .split('\n')
    .join('\n  ');
  return [
    `Agent ${agent} wants to call ${name} ${shortJson(input, 2_000)}.`,
    askers.length > 1 ? `${askers.join(' and ')} ask:` : `${askers[0] ?? 'An approver'} asks:`,
    `  ${question}`,
  ].join('\n');
}
