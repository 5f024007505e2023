import { expect } from 'chai';
import fc from 'fast-check';
import { words } from '../../../lib/hooks/full-text/words.ts';

describe('words', () => {
  it('are in lower case, of one width, and without the s of a plural', () => {
    expect(words('The Permissions, Class and bus')).to.deep.equal(['the', 'permission', 'class', 'and', 'bus']);
    expect(words('Ｒｅａｄ Ünïcode')).to.deep.equal(['read', 'ünïcode']);
  });

  it('are parts of names, too', () => {
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

  it('are pairs of letters where a script has no spaces', () => {
    expect(words('钩子顺序 hook')).to.deep.equal(['钩子', '子顺', '顺序', 'hook']);
    expect(words('Node版本')).to.deep.equal(['node', '版本']);
    expect(words('図')).to.deep.equal(['図']);
  });

  it('are found in any text, none of them long', () => {
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
