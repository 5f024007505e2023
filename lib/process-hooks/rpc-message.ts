/** A parsed line of a hook process. */
export type RpcMessage =
  | RpcReply
  | {
      readonly kind: 'request';
      readonly id: string | number | undefined;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'junk'; readonly why: string };

/** A reply to one of our calls. */
export interface RpcReply {
  readonly kind: 'reply';
  readonly id: number;
  readonly result: unknown;
  readonly error: string | undefined;
}

/** Nearly every reply has the expected field names. */
type Named = Record<'id' | 'method' | 'params' | 'result' | 'error', unknown>;

/**
 * Parses one line. Field names are case-insensitive and `jsonrpc` may be missing, as in the decoder of the original host (Go's `encoding/json`,
 * pkg/agent/hook_process.go). No JSON-RPC library follows these rules. They reject replies without `jsonrpc` and are case-sensitive. Their promises
 * support neither virtual time nor cancellation.
 */
export function readRpcMessage(line: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'junk', why: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'junk', why: 'not a JSON object' };
  const { id, method, params, result, error } =
    'id' in value && 'result' in value ? (value as Named) : lowerKeys(value);
  if (typeof method === 'string' && result === undefined && error === undefined)
    return { kind: 'request', id: toRequestId(id), method, params };
  const replied = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  if (typeof replied !== 'number' || !Number.isSafeInteger(replied) || replied < 1)
    return { kind: 'junk', why: 'no request ID' };
  return { kind: 'reply', id: replied, result: result ?? undefined, error: errorText(error) };
}

/** Converts field names to lower case. The last of two that differ in case only wins. */
function lowerKeys(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.toLowerCase(), field]));
}

function toRequestId(id: unknown): string | number | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function errorText(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const message = typeof error === 'object' ? lowerKeys(error)['message'] : error;
  return typeof message === 'string' && message !== '' ? message.slice(0, 2_000) : 'it has no message';
}
