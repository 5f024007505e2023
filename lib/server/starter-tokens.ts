import { randomUUID } from 'node:crypto';
import { rights } from './security/caller.ts';
import type { Tokens } from './tokens.ts';

/** Issues a token with all rights for the user if the store has none, because a server without tokens cannot be used. Show it once. */
export async function firstToken(tokens: Tokens, user: string): Promise<string | undefined> {
  return (await tokens.list()).length > 0 ? undefined : tokens.issue({ user, rights: [...rights] });
}

/** Longer than a page stays open. The token needs an expiry, because a killed server cannot revoke it. */
const HOURS = 24;

/** Issues a token with all rights for the page, for the user who started the server. Revoke it when the server ends. */
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
