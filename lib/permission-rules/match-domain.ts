import type { RuleMatch } from './rule-match.ts';
import { createWildcard } from './wildcard.ts';

/** How `domain:example.com` or `domain:*.example.com` fit the host of an address. */
export function matchDomain(specifiers: readonly string[], url: string): RuleMatch {
  const domains = specifiers.flatMap((one) => (one.startsWith('domain:') ? [one.slice('domain:'.length)] : []));
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
  if (host === undefined || domains.length < specifiers.length) return 'unclear';
  return domains.some((domain) => createWildcard(domain.trim().toLowerCase())(host)) ? 'all' : 'none';
}
