import { expect } from 'chai';
import fc from 'fast-check';
import type { DocumentKey } from '../../../lib/store/documents/document-store.ts';
import { fileName, keyOfFileName, mayBeBelow } from '../../../lib/store/documents/file-name.ts';

const segment = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'binary', minLength: 100, maxLength: 200 }));
const segments = fc.array(segment, { minLength: 1, maxLength: 5 });

describe('a long file name', () => {
  it('rules out a prefix only if its key is not below it', () => {
    let long = 0;
    let told = 0;
    fc.assert(
      fc.property(segments, segments, fc.nat(5), (key, other, cut) => {
        const name = fileName(key as unknown as DocumentKey);
        if (keyOfFileName(name) !== 'long') return;
        long += 1;
        expect(mayBeBelow(name, key.slice(0, cut)), 'of its own').to.equal(true);
        if (mayBeBelow(name, other)) return;
        told += 1;
        expect(
          other.every((one, at) => key[at] === one),
          'of another',
        ).to.equal(false);
      }),
    );
    expect(long).to.be.greaterThan(0);
    expect(told).to.be.greaterThan(0);
  });
});
