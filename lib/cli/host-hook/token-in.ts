import { HooklineError } from '../../errors.ts';

/** Returns the token in an environment variable. Throws `INPUT_INVALID` without one. */
export function tokenIn(variable: string): string {
  const token = process.env[variable];
  if (token !== undefined && token.length >= 16) return token;
  throw new HooklineError(
    'INPUT_INVALID',
    `--token-env ${variable}: the variable must contain a token of at least 16 characters.`,
  );
}
