import { rights } from './caller.ts';
import type { Tokens } from './tokens.ts';

/** Where a store has no token yet, one with all rights for that user, to be shown once: a server without any is of no use, and never open. */
export async function firstToken(tokens: Tokens, user: string): Promise<string | undefined> {
  return (await tokens.list()).length > 0 ? undefined : tokens.issue({ user, rights: [...rights] });
}
