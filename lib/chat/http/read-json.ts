import type { JsonValue } from '../../events/values/json-value.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** Whoever checks what a body holds goes down its levels with the stack. */
const MAX_DEPTH = 500;

/** The JSON that a request carries, at most `maxBytes` of it; or why not. */
export async function readJson(
  request: Request,
  maxBytes: number,
): Promise<{ readonly json: JsonValue } | { readonly refusal: Refusal }> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return { refusal: refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.') };
  let text: string | undefined;
  try {
    text = await readText(request, maxBytes);
  } catch {
    return { refusal: refuse(400, 'BODY_INVALID', 'The request body is incomplete.') };
  }
  if (text === undefined)
    return {
      refusal: refuse(413, 'BODY_TOO_LARGE', `The request body is larger than ${maxBytes} bytes. Send a smaller one.`),
    };
  if (isTooDeep(text))
    return { refusal: refuse(400, 'BODY_INVALID', `The request body is nested more than ${MAX_DEPTH} levels deep.`) };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { refusal: refuse(400, 'BODY_INVALID', 'The request body is not JSON.') };
  }
}

async function readText({ headers, body }: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // What is left unread is let go of when the loop is left.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else quoted = sign !== '"';
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
