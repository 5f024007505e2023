import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hmac } from '../../../lib/redaction/show/hmac.ts';
import { sha256 } from '../../../lib/redaction/show/sha256.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('hashing without Node', () => {
  it('computes SHA-256', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(hex(sha256(bytes))).to.equal(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('computes HMAC', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 100, unit: 'binary' }),
        fc.string({ maxLength: 200, unit: 'binary' }),
        (key, text) => {
          expect(hex(hmac(key, text))).to.equal(createHmac('sha256', key).update(text).digest('hex'));
        },
      ),
    );
  });
});
