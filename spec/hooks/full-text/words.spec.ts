import { expect } from 'chai';
import fc from 'fast-check';
import { words } from '../../../lib/hooks/full-text/words.ts';

describe('words', () => {
  it('are in lower case and normal width, without the plural s', () => {
    expect(words('The Permissions, Class and bus')).to.deep.equal(['the', 'permission', 'class', 'and', 'bus']);
    expect(words('Ｒｅａｄ Ünïcode')).to.deep.equal(['read', 'ünïcode']);
  });

  it('include the parts of names', () => {
    expect(words('readFile snake_case HTTPServer')).to.deep.equal([
      'readfile',
      'read',
      'file',
      'snake',
      'case',
      'httpserver',
    ]);
    expect(words('openHTTPServer2')).to.deep.equal(['openhttpserver2', 'open', 'http', 'server']);
  });

  it('are pairs of letters in scripts without spaces, and single letters in Chinese', () => {
    expect(words('钩子顺 hook')).to.deep.equal(['钩', '子', '顺', '钩子', '子顺', 'hook']);
    expect(words('Node版本')).to.deep.equal(['node', '版', '本', '版本']);
    expect(words('図')).to.deep.equal(['図']);
    expect(words('ポート番')).to.deep.equal(['番', 'ポー', 'ート', 'ト番']);
  });

  it('are pairs of syllables in Korean, plus the first of two, because particles differ', () => {
    expect(words('반품이')).to.deep.equal(['반품', '품이']);
    expect(words('개는 개도')).to.deep.equal(['개', '개는', '개', '개도']);
    expect(words('포트')).to.deep.equal(words('포트'.normalize('NFD')));
  });

  it('are at most two for each letter, so that the time is linear', () => {
    const letter = fc.constantFrom(...'aB1 版本のポ반품ก็ล');
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 300 }), (text) => {
        expect(words(text).length).to.be.at.most(2 * [...text].length);
      }),
    );
    for (const unit of ['版本', '반품', 'ポート', 'การ', 'aB'])
      expect(words(unit.repeat(100_000)).length).to.be.at.most(2 * 100_000 * unit.length);
  });

  it('are found in any text and are never long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const word of words(text)) {
          expect(word).to.not.equal('');
          expect(word.length).to.be.at.most(200);
        }
      }),
    );
    expect(words('x'.repeat(100_000))[0]).to.have.length(64);
  });
});
