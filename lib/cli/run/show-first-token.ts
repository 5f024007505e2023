import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HooklineError } from '../../errors.ts';
import type { Tokens } from '../../server/tokens.ts';
import { loadServer } from '../setup/load-server.ts';

/** Time between attempts, in milliseconds. */
const RETRY_MS = 1_000;

/** Prints a new token if there is none. If other servers share the tokens and NATS is away, it returns, and tries again until `signal` aborts. */
export async function showFirstToken(tokens: Tokens, isShared: boolean, signal: AbortSignal): Promise<void> {
  try {
    await show(tokens);
  } catch (thrown) {
    if (!isShared || !isAway(thrown)) throw thrown;
    process.stderr.write(`the server starts without its backplane, and tries again: ${(thrown as Error).message}\n`);
    void showLater(tokens, signal);
  }
}

async function showLater(tokens: Tokens, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(RETRY_MS, undefined, { ref: false });
    const isShown = await show(tokens).then(
      () => true,
      (thrown: unknown) => !isAway(thrown),
    );
    if (isShown) return;
  }
}

async function show(tokens: Tokens): Promise<void> {
  const token = await loadServer().firstToken(tokens, userInfo().username);
  if (token !== undefined) process.stderr.write(`token (shown only once): ${token}\n`);
}

function isAway(thrown: unknown): boolean {
  return thrown instanceof HooklineError && thrown.code === 'STORE_FAILED';
}
