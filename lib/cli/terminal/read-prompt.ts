import { text } from 'node:stream/consumers';
import { HooklineError } from '../../errors.ts';

/** The prompt: the argument, or all of stdin where there is none and stdin is not a terminal. Nothing but white space is refused. */
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
