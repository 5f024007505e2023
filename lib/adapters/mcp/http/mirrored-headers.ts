import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { isStateless, metaOf, VERSION } from '../proxy/ask-client.ts';
import type { RpcMessage } from '../proxy/json-rpc.ts';

/** Headers of a request, by lowercase name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** The params field that the header Mcp-Name repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Headers of a single connection, and headers that the proxy sets itself. */
const OWN =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept|accept-encoding|origin|referer|cookie|sec-.*|proxy-.*|forwarded|x-forwarded-.*|mcp-session-id|mcp-method|mcp-name|mcp-param-.*)$/;

/** The message and headers of a client's request. */
export interface Origin {
  readonly message: RpcMessage;
  readonly headers: HeaderFields;
}

/**
 * Returns the headers that repeat the message in the protocol without sessions. The client's own headers are used if the message still means the
 * same. Otherwise they are generated. `schemas` are the input schemas of the server's tools.
 */
export function mirroredHeaders(
  message: RpcMessage,
  origin: Origin | undefined,
  schemas: ReadonlyMap<string, JsonObject>,
): HeaderFields {
  if (origin && isSameMessage(origin.message, message))
    return only(origin.headers, (name) => /^mcp-(?!session-id)/.test(name));
  const { method = '', params = {} } = message;
  if (!isStateless(message)) return {};
  const named = params[NAMED[method] ?? ''];
  return {
    'mcp-protocol-version': String(metaOf(params)?.[VERSION]),
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': encoded(named) }),
    ...(method === 'tools/call' && paramHeaders(schemas.get(String(named)), params['arguments'] as JsonObject)),
  };
}

/** Returns the client's headers that are forwarded to the server. */
export function passedOn(fields: HeaderFields): HeaderFields {
  return only(fields, (name) => !OWN.test(name));
}

/** Returns the fields whose name passes `test`. */
function only(fields: HeaderFields, test: (name: string) => boolean): HeaderFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => test(name)));
}

/** Returns true if the headers of two messages would be the same. */
function isSameMessage(a: RpcMessage, b: RpcMessage): boolean {
  if (a === b) return true;
  const [one, other] = [a.params ?? {}, b.params ?? {}];
  return (
    a.method === b.method &&
    one['name'] === other['name'] &&
    one['uri'] === other['uri'] &&
    canonicalJson(one['arguments'] ?? {}) === canonicalJson(other['arguments'] ?? {})
  );
}

function paramHeaders(schema: JsonValue | undefined, value: JsonValue | undefined): HeaderFields {
  const { 'x-mcp-header': header, properties } = (schema ?? {}) as JsonObject;
  const plain = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
  const own =
    typeof header === 'string' && plain ? { [`mcp-param-${header.toLowerCase()}`]: encoded(String(value)) } : {};
  const inner = Object.entries((properties ?? {}) as JsonObject).map(([key, one]) =>
    paramHeaders(one, (value as JsonObject | undefined)?.[key]),
  );
  return Object.assign(own, ...inner);
}

/** Returns plain text unchanged. Other text is encoded in Base64, because a header cannot contain it. */
function encoded(text: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
