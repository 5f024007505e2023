import { randomUUID } from 'node:crypto';
import { rights } from './caller.ts';
import type { Tokens } from './tokens.ts';

/** Where a store has no token yet, one with all rights for that user, to be shown once: a server without any is of no use, and never open. */
export async function firstToken(tokens: Tokens, user: string): Promise<string | undefined> {
  return (await tokens.list()).length > 0 ? undefined : tokens.issue({ user, rights: [...rights] });
}

/** Longer than anybody leaves a page open: a server that is killed cannot revoke its token. */
const HOURS = 24;

/** A token with all rights for the page of whoever has started the server, until it ends. */
export async function pageToken(
  tokens: Tokens,
  user: string,
): Promise<{ readonly token: string; revoke(): Promise<void> }> {
  const name = `inspect ${randomUUID()}`;
  const expiresAt = new Date(Date.now() + HOURS * 3_600_000).toISOString();
  const token = await tokens.issue({ user, rights: [...rights], approvesFor: '*', name, expiresAt });
  return {
    token,
    async revoke() {
      for (const info of await tokens.list()) if (info.name === name) await tokens.revoke(info.id);
    },
  };
}
