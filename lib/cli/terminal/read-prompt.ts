import { text } from 'node:stream/consumers';
import { HooklineError } from '../../errors.ts';

/** Returns the prompt: the argument, or all of stdin if there is none and stdin is not a terminal. White space alone is rejected. */
export async function readPrompt(argument: string | undefined): Promise<string> {
  const piped = argument === undefined && !process.stdin.isTTY;
  const prompt = piped ? (await text(process.stdin)).replace(/\r?\n$/, '') : (argument ?? '');
  if (prompt.trim() !== '') return prompt;
  const empty = piped
    ? 'The prompt on stdin is empty.'
    : argument === undefined
      ? 'The prompt is missing.'
      : 'The prompt is empty.';
  throw new HooklineError(
    'INPUT_INVALID',
    `${empty} Pass it as an argument (hookline run "list the files in .") or on stdin.`,
  );
}
