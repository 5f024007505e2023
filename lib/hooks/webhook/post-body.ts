import { messageOf } from '../../errors/describe-thrown.ts';
import { fromBase64, toBase64 } from '../../events/values/base64.ts';
import { hmacSha256 } from '../../hashes/sha256.ts';

/** The settings of requests. */
export interface Posting {
  readonly url: string;
  readonly secret?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: number;
  readonly retryMs: number;
  readonly timeoutMs: number;
}

/** The maximum delay between attempts in milliseconds, even if `Retry-After` is longer. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Posts a body, with retries for transient failures. The delays do not keep the process alive. Resolves when the server accepted it, and otherwise
 * throws the last failure.
 */
export async function postBody(body: string, posting: Posting): Promise<void> {
  // The same for each attempt, so that the receiver can detect duplicates.
  const id = `msg_${crypto.randomUUID()}`;
  for (let attempt = 1; ; attempt++) {
    const failed = await post(body, id, posting);
    if (!failed) return;
    if (failed.final || attempt >= posting.attempts) throw new Error(failed.why);
    const ms = Math.min(LONGEST_WAIT_MS, Math.max(posting.retryMs * 2 ** (attempt - 1), failed.waitMs));
    await pause(ms);
  }
}

interface Failed {
  readonly why: string;
  /** Whether a retry cannot help. */
  readonly final: boolean;
  readonly waitMs: number;
}

async function post(
  body: string,
  id: string,
  { url, secret, headers, timeoutMs }: Posting,
): Promise<Failed | undefined> {
  const timestamp = Math.floor(Date.now() / 1_000).toString();
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        ...(secret !== undefined && { 'webhook-signature': `v1,${sign(`${id}.${timestamp}.${body}`, secret)}` }),
      },
      // Following a redirect would send the secrets to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return undefined;
    const { status } = response;
    const final = status < 500 && status !== 408 && status !== 429;
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1_000 || 0;
    // If a redirect cannot be read, its status is 0.
    const isRedirect = status < 400;
    const help = ', a redirect, which the hook does not follow; use its target as the URL';
    return { why: `the response was ${status || 'hidden'}${isRedirect ? help : ''}`, final, waitMs };
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause ? `: ${messageOf(thrown.cause)}` : '';
    return { why: `${messageOf(thrown)}${cause}`, final: false, waitMs: 0 };
  }
}

function sign(text: string, secret: string): string {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : undefined;
  return toBase64(hmacSha256(encoded === undefined ? secret : fromBase64(encoded), text));
}

/** Waits without keeping a Node process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?(): void } | number = setTimeout(resolve, ms);
    if (typeof timer === 'object') timer.unref?.();
  });
}
