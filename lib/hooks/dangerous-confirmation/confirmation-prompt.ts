import { boundJson } from '../text/bound-json.ts';
import { cutText } from '../text/cut-text.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Question } from './ask-function.ts';

const BOUNDS = { perString: 1_000, total: 4_000 };
const line = (text: string) => cutText(visibleText(text), 300);

/** The question as text of several lines. Nothing that a model wrote can begin a line of its own or move the cursor. */
export function confirmationPrompt(question: Omit<Question, 'prompt'>): string {
  const { tool, input, permission, description, matched, run } = question;
  const args = JSON.stringify(boundJson(input, BOUNDS), null, 2).split('\n').map(visibleText);
  return [
    `Agent ${line(run.agent)} wants to call ${line(tool)} (${permission}).`,
    ...(description.trim() === '' ? [] : [`  The tool: ${line(description.trim())}`]),
    `  Dangerous: ${line(JSON.stringify(matched.pattern))} in ${line(matched.at)}: ${line(matched.excerpt)}`,
    `  Arguments: ${args.join('\n  ')}`,
    'May it run?',
  ].join('\n');
}
