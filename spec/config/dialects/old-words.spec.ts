import { expect } from 'chai';
import { renewWords } from '../../../lib/config/dialects/old-words.ts';
import { read } from '../read.ts';

describe('words of an earlier version', () => {
  it('are read as those of today, at hooks and in defaults', () => {
    const { value, renewed } = renewWords({
      defaults: { failure: 'open' },
      hooks: { a: { type: 'x', failure: 'closed' }, b: { onFailure: 'skip' } },
    });
    expect(value).to.deep.equal({
      defaults: { onFailure: 'skip' },
      hooks: { a: { type: 'x', onFailure: 'block' }, b: { onFailure: 'skip' } },
    });
    expect(renewed).to.deep.equal([
      { path: ['defaults', 'failure'], now: 'onFailure: skip' },
      { path: ['hooks', 'a', 'failure'], now: 'onFailure: block' },
    ]);
  });

  it('keep their place: a fault of what was renewed is told where it was written', () => {
    const { value, toSource } = renewWords({ hooks: { a: { failure: 'opne' }, b: { onFailure: 'x' } } });
    expect(value).to.have.nested.property('hooks.a.onFailure', 'opne');
    expect(toSource(['hooks', 'a', 'onFailure'])).to.deep.equal(['hooks', 'a', 'failure']);
    expect(toSource(['hooks', 'b', 'onFailure'])).to.deep.equal(['hooks', 'b', 'onFailure']);
  });

  it('are left alone beside those of today, for then one of them is a mistake', () => {
    const both = { hooks: { a: { failure: 'open', onFailure: 'block' } } };
    expect(renewWords(both).value).to.deep.equal(both);
    for (const odd of [null, 1, [], { hooks: [] }, { hooks: { a: null } }])
      expect(renewWords(odd).value).to.deep.equal(odd);
  });
});

describe('a file in the words of an earlier version', () => {
  it('is read, and says where to write the new ones', () => {
    const file = 'hooks:\n  guard:\n    type: dangerous-confirmation\n    failure: closed\n';
    const { config, notices } = read(file, 'c.yaml');
    expect(config.hooks[0]?.entry).to.include({ onFailure: 'block' });
    expect(notices.map(({ line, message }) => ({ line, message }))).to.deep.equal([
      { line: 4, message: '"failure" is the word of an earlier version; write onFailure: block.' },
    ]);
  });
});
