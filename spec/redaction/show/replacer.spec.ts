import { expect } from 'chai';
import { createRedactor } from '../../../lib/redaction/index.ts';

describe('a replacement of a secret', () => {
  it('is numbered by value, restarting for each text', () => {
    const redactor = createRedactor([{ id: 'r', pattern: /key=(\w+)/ }], { mode: 'numbered' });
    const text = 'key=one key=two key=one';
    const numbered = 'key=[REDACTED:r#1] key=[REDACTED:r#2] key=[REDACTED:r#1]';
    for (const _ of [1, 2]) expect(redactor.redact(text).text).to.equal(numbered);
  });
});
