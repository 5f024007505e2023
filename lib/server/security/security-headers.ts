/** What every answer tells a browser: show nothing of it, load nothing for it, keep nothing, tell nobody. There are no CORS headers. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Adds them to an answer. It is not to be stored either, unless it says how itself; the page has a policy of its own. */
export function withSecurityHeaders(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(securityHeaders))
    if (name !== 'content-security-policy' || !headers.has(name)) headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return response;
}
