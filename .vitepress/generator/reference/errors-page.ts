import { errorCodes } from '../../../lib/errors.ts';
import { cell } from '../table.ts';

/** All codes of `HooklineError`, each with an anchor. */
export function errorsPage(): string {
  const sections = Object.entries(errorCodes).map(([code, text]) => `## ${code}\n\n${cell(text)}\n`);
  const intro =
    'Hookline throws `HooklineError`. Its field `code` has one of these values; `message` names the value and the fix.';
  return ['# Error codes\n', `${intro}\n`, ...sections].join('\n');
}
