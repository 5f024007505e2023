import type { RuleMatch } from './rule-match.ts';
import { createWildcard } from './wildcard.ts';

/** Returns how `domain:example.com` or `domain:*.example.com` match the host of an address. */
export function domainMatcher(specifiers: readonly string[]): (url: string) => RuleMatch {
  const hosts = specifiers.map((one) =>
    one.startsWith('domain:') ? hostPattern(one.slice('domain:'.length)) : undefined,
  );
  const tests = hosts.flatMap((host) => (host === undefined ? [] : [createWildcard(host)]));
  return (url) => {
    const host = hostnameOf(url);
    // A host and a port without a scheme (`db.internal:80`) parse as an address without a host; data URLs have none.
    if (/^data:/i.test(url)) return 'none';
    // Neither does a name such as `urn:isbn:1` or `spotify:track:x`.
    if (host === '' && /^[a-z][a-z\d+-]*:[a-z][\w:-]*$/i.test(url)) return 'none';
    if (!host || tests.length < specifiers.length) return 'unclear';
    return tests.some((test) => test(host)) ? 'all' : 'none';
  };
}

/** Returns a host in the form that addresses use (`xn--bcher-kva.example` for `bücher.example`), with `*` as a wildcard; `undefined` if it is not a host. */
export function hostPattern(text: string): string | undefined {
  const [, any = '', name = ''] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? [];
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@:\\%]+)$/i.test(name)) return undefined;
  const host = hostnameOf(`http://${name}`);
  if (host === undefined) return undefined;
  // A part of a name, or of a number, cannot be converted to the form of addresses.
  if (name.includes('*') ? /[^\0-\x7f]/.test(name) : any !== '' && /^[\d.]+$/.test(name)) return undefined;
  return any + host;
}

/** Returns the host of an address. `URL.canParse` of Node.js 20 rejects `ü` after some thousand calls. */
function hostnameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/\.$/, '');
  } catch {
    return undefined;
  }
}
