import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJsonObject } from '../../../events/values/parse-json.ts';
import { readText } from './http-response.ts';
import type { HeaderFields } from './mirrored-headers.ts';
import type { RemoteServer } from './remote-server.ts';

/** The OAuth metadata that clients need to log in at the server through the proxy. */
export interface LoginMetadata {
  /** Rewrites the metadata URL in a 401 response to the proxy's copy. */
  change(headers: HeaderFields): HeaderFields;
  /** Answers a metadata request. Resolves with false for any other request. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

const RESOURCE = '/.well-known/oauth-protected-resource';
const PLACES = [RESOURCE, '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const MOST_BYTES = 256 * 1_024;
const WAIT_MS = 10_000;
const NAMED = /resource_metadata="([^"]*)"/;

/**
 * Serves the server's OAuth metadata. Clients expect the resource to be the address that they called, so it is replaced by `path` at the proxy. If
 * the proxy logs in itself, no metadata is served.
 */
export function loginMetadata({ url, headers = {} }: RemoteServer, path: string, origin: () => string): LoginMetadata {
  const target = new URL(url);
  const own = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  /** The metadata URL that the server sent. */
  let metadataUrl: string | undefined;

  async function fetched(place: string, suffix: string): Promise<string | undefined> {
    const behind = suffix === path ? target.pathname.replace(/\/$/, '') : suffix;
    const address = place === RESOURCE && metadataUrl ? metadataUrl : `${target.origin}${place}${behind}`;
    // `..` in a path could lead outside the metadata.
    if (address !== metadataUrl && !new URL(address).pathname.startsWith(place)) return undefined;
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) });
    return response.ok ? await readText(response, MOST_BYTES) : undefined;
  }

  return {
    change({ 'www-authenticate': challenge, ...rest }) {
      if (challenge === undefined || own) return rest;
      const named = NAMED.exec(challenge)?.[1];
      // Hookline fetches metadata only from the server's own origin.
      if (named !== undefined && URL.canParse(named) && new URL(named).origin === target.origin) metadataUrl = named;
      const ours = `resource_metadata="${origin()}${RESOURCE}${path}"`;
      return { ...rest, 'www-authenticate': challenge.replace(NAMED, ours) };
    },
    async handle({ method, url: asked = '' }, response) {
      const [where = ''] = asked.split('?');
      const place = PLACES.find((one) => where === one || where.startsWith(`${one}/`));
      if (method !== 'GET' || place === undefined) return false;
      const text = own ? undefined : await fetched(place, where.slice(place.length)).catch(() => undefined);
      const metadata = text === undefined ? undefined : parseJsonObject(text);
      if (!metadata) {
        response.writeHead(404).end();
        return true;
      }
      const shown = place === RESOURCE ? { ...metadata, resource: `${origin()}${path}` } : metadata;
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(shown));
      return true;
    },
  };
}
