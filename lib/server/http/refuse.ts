import { HTTPException } from 'hono/http-exception';

/** Statuses that a request is refused with before anything was done. */
export type Refusal = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 421 | 422 | 429 | 503;

/** The error that ends a request: `message` for its sender, `headers` for the answer. */
export function refuse(
  status: Refusal,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HTTPException {
  return new HTTPException(status, { message, cause: { headers } });
}

/** The headers that a refusal asks for. */
export function refusalHeaders({ cause }: HTTPException): Readonly<Record<string, string>> {
  return (cause as { headers?: Record<string, string> } | undefined)?.headers ?? {};
}
