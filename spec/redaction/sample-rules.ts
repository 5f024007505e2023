import type { KnownValue, Rule } from '../../lib/redaction/index.ts';

const letters = 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD';

/** Rules of every kind, for specs of the engine, each with an example of its secret in its context. */
export const samples: readonly { readonly rule: Rule; readonly before: string; readonly secret: string }[] = [
  { rule: { id: 'pat', pattern: /\bghp_[A-Za-z0-9]{36}\b/ }, before: 'token ', secret: `ghp_${letters}abcd` },
  {
    rule: { id: 'assigned', pattern: String.raw`(?i)password["']?\s*[=:]\s*["']?([^\s"']{8,64})`, entropy: 2 },
    before: 'Password = "',
    secret: 'hunter2-hunter3',
  },
  {
    rule: { id: 'mail', pattern: /(?:^|[^\w.%+-])([\w.%+-]+@[\w-]+\.[a-z]{2,10})/ },
    before: 'to ',
    secret: 'b.o@ex.org',
  },
  {
    rule: { id: 'card', pattern: /\b\d(?:[ -]?\d){12,15}\b/, check: (digits) => digits.includes('4') },
    before: 'card ',
    secret: '4111 1111 1111 1111',
  },
  {
    rule: { id: 'pem', pattern: String.raw`-----BEGIN[ A-Z]{0,20} KEY-----([A-Za-z0-9+/=\s]+)`, swallow: true },
    before: '-----BEGIN RSA KEY-----',
    secret: '\nMIIEabc\ndef/+=',
  },
  {
    rule: { id: 'endless', pattern: /\bkk-[a-z]{3,}/, maxLength: 16 },
    before: '',
    secret: 'kk-abcdefghijklmnopqrstuvwxyz',
  },
  { rule: { id: 'odd', pattern: /x([^ a-z[\]]{2,5}) / }, before: 'x', secret: '😀€😀' },
  {
    rule: { id: 'gated', pattern: /\b[a-f0-9]{12}\b/, keywords: ['vault'], allow: [{ pattern: '^0+$' }] },
    before: 'Vault ',
    secret: 'deadbeef0123',
  },
  {
    rule: { id: 'either', pattern: /(?:ka=(\d{4,9}))|(?:kb=([A-F]{4,9}))/ },
    before: 'kb=',
    secret: 'ABCDEF',
  },
];

export const sampleRules: readonly Rule[] = samples.map(({ rule }) => rule);

/** A configured secret that every encoding changes. */
export const known: KnownValue = { label: 'KEY', value: 'p/w"é😀 x!' };
