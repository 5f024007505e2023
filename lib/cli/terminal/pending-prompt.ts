import type { PendingCall } from '../../agent/suspend/snapshot.ts';
import { harmlessText } from './harmless-text.ts';
import { shortJson } from './short-json.ts';

/** Returns the approval prompt for a call of a suspended run. */
export function pendingPrompt({
  agent,
  toolCall,
  judged,
  prompt,
  by,
}: PendingCall & { readonly agent: string }): string {
  const { name, input } = judged ?? toolCall;
  const question = harmlessText(prompt ?? 'May it run?')
    .split('\n')
    .join('\n  ');
  return [
    `Agent ${agent} wants to call ${name} ${shortJson(input, 2_000)}.`,
    `${by ?? 'An approver'} asks:`,
    `  ${question}`,
  ].join('\n');
}
