import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createTextHash, hmacSha256, sha256, sha256Hex, toHex } from '../../lib/hashes/sha256.ts';

const text = fc.string({ maxLength: 200, unit: 'binary' });

describe('hashing without Node', () => {
  it('computes SHA-256', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(toHex(sha256(bytes))).to.equal(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(sha256Hex(one)).to.equal(createHash('sha256').update(one).digest('hex'));
      }),
    );
  });

  it('computes HMAC', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'binary' }), text, (key, one) => {
        const expected = createHmac('sha256', key).update(one).digest('hex');
        expect(toHex(hmacSha256(key, one))).to.equal(expected);
        expect(toHex(hmacSha256(Buffer.from(key), one))).to.equal(expected);
      }),
    );
  });

  it('compares text in parts, also in the middle of a pair', () => {
    fc.assert(
      fc.property(text, fc.nat(200), (one, at) => {
        const hash = createTextHash();
        hash.add(one.slice(0, at));
        hash.add(one.slice(at));
        expect([hash.isOf(one), hash.isOf(`${one}.`)]).to.deep.equal([true, false]);
      }),
    );
    const hash = createTextHash();
    hash.add('\ud83d');
    expect([hash.isOf('\ud83d'), hash.isOf('\ud83e')]).to.deep.equal([true, false]);
    hash.add('\ude00');
    expect(hash.isOf('😀')).to.equal(true);
  });
});
