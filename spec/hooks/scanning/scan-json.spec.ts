import { expect } from 'chai';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { scanJson } from '../../../lib/hooks/scanning/scan-json.ts';
import { jsonTextStream } from '../../../lib/hooks/text/json-text-stream.ts';
import { usualRedactor } from '../../../lib/hooks/usual-redactor.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

/** Arguments with and without their secrets. Some secrets can be detected only by their key. */
const cases: readonly (readonly [JsonObject, RegExp])[] = [
  [{ password: 'Xk3!vQ9z#Lm2' }, /^\{"password":"\[REDACTED:[a-z-]+\]"\}$/],
  [
    { env: { DB_PASSWORD: 'q8Zt/u5Rw1n7K', PORT: '5432' } },
    /^\{"env":\{"DB_PASSWORD":"\[REDACTED[^"]+","PORT":"5432"\}\}$/,
  ],
  [{ run: ['curl', 'glpat-Zx81kQ2mWv7RtY3nLp0s'] }, /^\{"run":\["curl","\[REDACTED:gitlab-pat\]"\]\}$/],
  [
    { title: 'Xk3!vQ9z#Lm2', n: -1.5e3, ok: true, none: null, é: '👩\u2028' },
    /"Xk3!vQ9z#Lm2","n":-1500,"ok":true,"none":null/,
  ],
];

describe('scanning JSON', () => {
  it('finds a secret by its key, in a value or in text split anywhere', () => {
    const redactor = usualRedactor();
    for (const [input, clean] of cases) {
      const whole = JSON.stringify(scanJson(redactor, input).value);
      expect(whole).to.match(clean);
      const text = JSON.stringify(input);
      for (let cut = 0; cut <= text.length; cut += 1) {
        const stream = jsonTextStream(redactor);
        const out = stream.write(text.slice(0, cut)) + stream.write(text.slice(cut)) + stream.end();
        expect(out, `cut at ${cut}`).to.equal(whole);
      }
    }
  });

  it('scans invalid JSON as text and emits no half of a secret at an abort', () => {
    const stream = jsonTextStream(standInRedactor);
    expect(stream.write(`${SECRET} {"a":"${SECRET}`)).to.equal(`${MARKER} {"a":"${MARKER}`);
    expect(stream.write('KEY-xy12\\u00') + stream.abort()).to.equal(MARKER);
    expect(stream.findings).to.have.length(2);
  });

  it('returns the same value without findings and leaves sealed values alone', () => {
    const input = { a: [1, { b: 'x' }], token: { $sealed: 'token', nonce: SECRET } };
    expect(scanJson(standInRedactor, input)).to.deep.equal({ value: input, findings: [] });
    expect(scanJson(standInRedactor, input).value).to.equal(input);
  });
});
