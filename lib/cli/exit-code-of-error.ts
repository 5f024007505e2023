import { CommanderError } from 'commander';
import { memberOf, messageOf, textOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { harmlessText } from './terminal/harmless-text.ts';

/** The exit code for what kept a command from beginning: 2 for a fault of the caller's, who is told; 0 when only help was wanted. */
export function exitCodeOfError(thrown: unknown): number {
  // Commander has told it already.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  if (thrown instanceof HooklineError) {
    process.stderr.write(`error: ${harmlessText(thrown.message)}\n`);
    return 2;
  }
  const told = textOf(memberOf(thrown, 'stack') ?? messageOf(thrown));
  process.stderr.write(`error: unexpected: ${harmlessText(told)}\n`);
  return 1;
}
