/** Headers of every response. They forbid the browser to render, load, store or share anything. There are no CORS headers. */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Adds the headers to a response. It also forbids storing it, unless the response sets that itself. The page has its own policy. */
export function withSecurityHeaders(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(securityHeaders))
    if (name !== 'content-security-policy' || !headers.has(name)) headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return response;
}
