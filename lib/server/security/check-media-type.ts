import { refuse } from '../http/refuse.ts';

/** Rejects a body that is not plain JSON in UTF-8 (415). A page can send text and forms to any origin without a preflight, but not JSON. */
export function checkMediaType({ method, headers }: Request): void {
  if (method === 'GET' || method === 'HEAD') return;
  const type = headers.get('content-type');
  if (type === null && !hasBody(headers)) return;
  if (!isJson(type))
    throw refuse(415, `Send application/json, not ${JSON.stringify(type ?? 'a body without a type')}.`);
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    throw refuse(415, `Send the body uncompressed, not as ${encoding}.`);
}

export function isJson(type: string | null): boolean {
  return type !== null && /^\s*application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type);
}

function hasBody(headers: Headers): boolean {
  return headers.get('transfer-encoding') !== null || Number(headers.get('content-length') ?? 0) > 0;
}
