import { z } from 'zod';
import type { HeaderFields } from './mirrored-headers.ts';

/** A server over streamable HTTP. */
export interface RemoteServer {
  /** `https:` or `http:`, without credentials. */
  readonly url: string;
  /** The proxy's own headers. They override the headers of clients. If they include `authorization`, that of clients is not forwarded. */
  readonly headers?: Readonly<Record<string, string>>;
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of characters that are valid in a header');

export const remoteSchema = z.strictObject({
  url: z.string().refine((url) => {
    const { protocol, username } = URL.canParse(url) ? new URL(url) : { protocol: '', username: '' };
    return /^https?:$/.test(protocol) && username === '';
  }, 'must be an https: or http: URL without credentials; pass credentials as a header'),
  headers: z
    .record(z.string(), headerValue)
    .refine((headers) => Object.keys(headers).every((name) => NAME.test(name)), 'must have valid header names')
    .exactOptional(),
});

/** An HTTP response with an error status. */
export interface Refusal {
  readonly status: number;
  /** The headers that a client needs, such as the authentication challenge and the retry delay. */
  readonly headers: HeaderFields;
}
