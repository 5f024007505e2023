import { HTTPException } from 'hono/http-exception';

/** Statuses of rejected requests. */
export type Refusal = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 421 | 422 | 429 | 503;

/** An error that rejects a request. The response has `message` and `headers`. */
export function refuse(
  status: Refusal,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HTTPException {
  return new HTTPException(status, { message, cause: { headers } });
}

/** The response headers of a rejection. */
export function refusalHeaders({ cause }: HTTPException): Readonly<Record<string, string>> {
  return (cause as { headers?: Record<string, string> } | undefined)?.headers ?? {};
}
