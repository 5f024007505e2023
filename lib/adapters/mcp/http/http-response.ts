import { messageOf } from '../../../errors/describe-thrown.ts';

export function isStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

export function bytesOf({ body }: Response): AsyncIterable<Uint8Array> {
  return (body ?? new ReadableStream()) as unknown as AsyncIterable<Uint8Array>;
}

export async function readText(response: Response, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of bytesOf(response)) {
    length += bytes.length;
    if (length > limit) throw new Error(`its response is longer than ${limit} bytes`);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}

export function describe(status: number, location: string | null, body: string): string {
  if (status >= 300 && status < 400) return `The MCP server redirects (HTTP ${status}) to ${location}. Use that URL.`;
  if (status === 401) return 'The MCP server rejected the credentials (HTTP 401). Check the header Authorization.';
  const excerpt = body.trim().slice(0, 200);
  return `The MCP server responded with HTTP ${status}${excerpt === '' ? '' : `: ${excerpt}`}`;
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

export function whyOf(thrown: unknown): string {
  const { cause } = (thrown ?? {}) as { cause?: unknown };
  return messageOf(cause ?? thrown);
}
