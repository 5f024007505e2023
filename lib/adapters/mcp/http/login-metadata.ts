import type { IncomingMessage, ServerResponse } from 'node:http';
import { readText } from './http-response.ts';
import type { HeaderFields } from './mirrored-headers.ts';
import type { RemoteServer } from './remote-server.ts';

/** What clients need to log in at the server, through the proxy. */
export interface LoginMetadata {
  /** Names the proxy's copy of the metadata in a 401. */
  change(headers: HeaderFields): HeaderFields;
  /** Answers a request for metadata; false where it is for something else. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

const RESOURCE = '/.well-known/oauth-protected-resource';
const PLACES = [RESOURCE, '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const MOST_BYTES = 256 * 1_024;
const WAIT_MS = 10_000;
const NAMED = /resource_metadata="([^"]*)"/;

/**
 * Metadata of OAuth that the server gives. Its resource is the proxy, as clients want it of whom they talk to: `path` at the host that they ask.
 * Nothing is passed where the proxy logs in itself.
 */
export function loginMetadata({ url, headers = {} }: RemoteServer, path: string, origin: () => string): LoginMetadata {
  const target = new URL(url);
  const own = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  /** Where the server has said that its metadata is. */
  let told: string | undefined;

  async function fetched(place: string, suffix: string): Promise<string | undefined> {
    const behind = suffix === path ? target.pathname.replace(/\/$/, '') : suffix;
    const address = place === RESOURCE && told ? told : `${target.origin}${place}${behind}`;
    // A path may lead elsewhere.
    if (address !== told && !new URL(address).pathname.startsWith(place)) return undefined;
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) });
    return response.ok ? await readText(response, MOST_BYTES) : undefined;
  }

  return {
    change({ 'www-authenticate': challenge, ...rest }) {
      if (challenge === undefined || own) return rest;
      const named = NAMED.exec(challenge)?.[1];
      // Another host is not asked, whatever the server says.
      if (named !== undefined && URL.canParse(named) && new URL(named).origin === target.origin) told = named;
      const ours = `resource_metadata="${origin()}${RESOURCE}${path}"`;
      return { ...rest, 'www-authenticate': challenge.replace(NAMED, ours) };
    },
    async handle({ method, url: asked = '' }, response) {
      const [where = ''] = asked.split('?');
      const place = PLACES.find((one) => where === one || where.startsWith(`${one}/`));
      if (method !== 'GET' || place === undefined) return false;
      const text = own ? undefined : await fetched(place, where.slice(place.length)).catch(() => undefined);
      const metadata = text === undefined ? undefined : jsonObject(text);
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

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
