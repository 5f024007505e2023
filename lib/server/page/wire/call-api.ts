import { setClock } from '../ui/now.ts';
import { dropToken, token } from './token.ts';

/** The response of the server. */
export interface Answer<T> {
  readonly status: number;
  readonly ok: boolean;
  readonly body: T;
  /** The error message of the server; empty if there is none. */
  readonly error: string;
}

/** Sends a request with the token of this tab. It never throws: without a response `status` is 0. */
export async function callApi<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<T>> {
  try {
    const response = await request(method, path, {}, body);
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    const error = response.ok ? '' : (json?.error?.message ?? `The server answered ${response.status}.`);
    return { status: response.status, ok: response.ok, body: json as T, error };
  } catch {
    return { status: 0, ok: false, body: undefined as T, error: 'The server does not respond.' };
  }
}

/** Returns the plain response, for streams. A rejected token is forgotten. */
export async function request(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  const sent = token.value;
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${sent}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  setClock(response.headers.get('date'));
  if (response.status === 401 && token.value === sent)
    dropToken('The server rejected this token. It may have been restarted.');
  return response;
}
