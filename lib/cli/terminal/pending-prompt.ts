import type { PendingCall } from '../../agent/suspend/snapshot.ts';
import { harmlessText } from './harmless-text.ts';
import { shortJson } from './short-json.ts';

/** What a suspended run's user is asked about a call. */
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
