import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import type { AskFunction } from '../../hooks/asking/ask-function.ts';

/** The server on whose page people answer. */
export interface PageOptions {
  /** Address of `hookline serve`. */
  readonly url: string;
  /** A token with the right `run`. */
  readonly token: string;
  /** Maximum time for an answer, in milliseconds. */
  readonly timeoutMs: number;
}

const answerSchema = z.object({
  approved: z.boolean(),
  by: z.string().exactOptional(),
  at: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  input: jsonObjectSchema.exactOptional(),
  remember: z.enum(['session', 'always']).exactOptional(),
});

/** Returns a function that asks on the page of a server. It rejects if the server cannot be reached or refuses the question. */
export function askPage({ url, token, timeoutMs }: PageOptions): AskFunction {
  const place = new URL('/api/questions', url);
  return async ({ tool, input, permission, run, prompt, remembers }, { signal, call, by, timeoutMs: usual }) => {
    const body = { call, tool, input, permission, run, prompt, by, timeoutMs: Math.min(timeoutMs, usual) };
    const response = await fetch(place, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...(remembers && { remembers }) }),
      redirect: 'error',
      signal,
    }).catch((thrown: Error) => {
      throw unreachable(place, String((thrown.cause as Error | undefined)?.message ?? thrown.message));
    });
    const text = await response.text();
    if (!response.ok) throw unreachable(place, `it answered ${response.status}: ${text.slice(0, 500)}`);
    return answerSchema.parse(JSON.parse(text));
  };
}

function unreachable({ origin }: URL, why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `The page ${origin} cannot be asked: ${why}`);
}
