import { boundJson } from '../text/bound-json.ts';
import { cutText } from '../text/cut-text.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Question } from './ask-function.ts';

const BOUNDS = { perString: 1_000, total: 4_000 };

/** Formats a text for one line of a prompt: control characters are visible, and a long text is cut. */
export const promptLine = (text: string): string => cutText(visibleText(text), 300);

/** Formats an approval prompt of several lines; `why` is its reason. Text of the model can neither begin a line nor move the cursor. */
export function callPrompt(
  {
    tool,
    input,
    permission,
    description,
    run,
  }: Pick<Question, 'tool' | 'input' | 'permission' | 'description' | 'run'>,
  why: string,
): string {
  const args = JSON.stringify(boundJson(input, BOUNDS), null, 2).split('\n').map(visibleText);
  return [
    `Agent ${promptLine(run.agent)} wants to call ${promptLine(tool)} (${permission}).`,
    ...(description.trim() === '' ? [] : [`  Tool: ${promptLine(description.trim())}`]),
    `  ${why}`,
    `  Arguments: ${args.join('\n  ')}`,
    'May it run?',
  ].join('\n');
}
