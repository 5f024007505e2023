import { messageOf, propertyOf } from '../../../errors/describe-thrown.ts';
import type { Printed } from '../output/read-output.ts';
import type { HttpHandler } from '../settings/settings.ts';
import type { NotEnded } from './run-command.ts';

const MAX_BODY = 1 << 20;

/** Posts `input` to a URL. A 2xx answer is read like the output of a command with exit code 0. Status codes cannot block. */
export async function runHttp(
  { url, headers = {}, allowedEnvVars = [] }: HttpHandler,
  input: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Printed | NotEnded> {
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, allowedEnvVars)] as const);
  const own = AbortSignal.timeout(timeoutMs);
  const { address, authorization } = withoutUser(url);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization, ...Object.fromEntries(filled) },
      body: input,
      signal: AbortSignal.any([signal, own]),
      redirect: 'error',
    });
    const body = await bounded(response);
    if (!response.ok) return { failure: `answered with status ${response.status}` };
    if (body === undefined)
      return { failure: `answered with more than ${MAX_BODY} characters, so its decision was not read` };
    if (body.trim() !== '' && !body.trim().startsWith('{'))
      return { failure: 'answered with something that is not a JSON object' };
    return { code: 0, stdout: body, stderr: '' };
  } catch (thrown) {
    if (own.aborted) return { failure: `did not answer within ${timeoutMs} ms` };
    if (signal.aborted) return { failure: 'was cancelled' };
    const cause = messageOf(propertyOf(thrown, 'cause') ?? thrown);
    return { failure: `is unreachable: ${cause}` };
  }
}

/** Moves the user and password of a URL to a header, because `fetch` rejects them. */
function withoutUser(url: string): {
  readonly address: URL;
  readonly authorization?: { readonly authorization: string };
} {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address };
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  address.username = '';
  address.password = '';
  return { address, authorization: { authorization: `Basic ${Buffer.from(user).toString('base64')}` } };
}

/** Reads the body unless it exceeds the limit. The rest is not fetched. */
async function bounded({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > MAX_BODY) return undefined;
  }
  return text;
}

/** Replaces `$VAR` and `${VAR}` if the settings allow the variable, and removes others. */
function fill(value: string, allowed: readonly string[]): string {
  return value.replace(/\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?/g, (_, name: string) =>
    allowed.includes(name) ? (process.env[name] ?? '') : '',
  );
}
