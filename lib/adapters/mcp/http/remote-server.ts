import { z } from 'zod';
import type { HeaderFields } from './mirrored-headers.ts';

/** A server over streamable HTTP. */
export interface RemoteServer {
  /** `https:` or `http:`, without credentials. */
  readonly url: string;
  /** The proxy's own headers. They go before those of clients; with an `authorization` among them, clients' own are not passed on. */
  readonly headers?: Readonly<Record<string, string>>;
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line, of characters that headers can hold');

/** Checks a `RemoteServer`. */
export const remoteSchema = z.strictObject({
  url: z.string().refine((url) => {
    const { protocol, username } = URL.canParse(url) ? new URL(url) : { protocol: '', username: '' };
    return /^https?:$/.test(protocol) && username === '';
  }, 'must be an address with https: or http:, without a user; give credentials as a header'),
  headers: z
    .record(z.string(), headerValue)
    .refine((headers) => Object.keys(headers).every((name) => NAME.test(name)), 'must have names that headers can have')
    .exactOptional(),
});

/** An answer of HTTP that is no success. */
export interface Refusal {
  readonly status: number;
  /** What a client needs of it: how to authenticate, when to come again. */
  readonly headers: HeaderFields;
}
