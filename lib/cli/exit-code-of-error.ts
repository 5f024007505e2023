import { CommanderError } from 'commander';
import { messageOf, propertyOf, textOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { harmlessText } from './terminal/harmless-text.ts';

/** Prints an error that ended a command and returns its exit code: 2 for invalid usage or input, 1 for an unexpected error, 0 for help. */
export function exitCodeOfError(thrown: unknown): number {
  // Commander already printed it.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  if (thrown instanceof HooklineError) {
    process.stderr.write(`error: ${harmlessText(thrown.message)}\n`);
    return 2;
  }
  if (propertyOf(thrown, 'syscall') === 'uv_cwd') {
    process.stderr.write('error: The current folder was deleted. Change to another one.\n');
    return 2;
  }
  const stack = textOf(propertyOf(thrown, 'stack') ?? messageOf(thrown));
  process.stderr.write(`error: unexpected: ${harmlessText(stack)}\n`);
  return 1;
}
