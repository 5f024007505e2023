import { expect } from 'chai';
import { HooklineError } from '../../lib/errors.ts';
import { ownRules } from '../../lib/redaction/rules/own-rules.ts';
import { rulesNamed } from '../../lib/redaction/rules/rules-named.ts';

const ids = (names?: readonly string[]) => rulesNamed(names).map(({ id }) => id);

describe('rulesNamed', () => {
  it('returns rules by ID, default or not, without duplicates and in order', () => {
    expect(ids(['ipv4', 'github-pat', 'ipv4'])).to.deep.equal(['github-pat', 'ipv4']);
  });

  it('returns the default rules of a category', () => {
    const personal = ids(['personal']);
    expect(personal).to.include('email').and.not.include('ipv4');
    expect(ids(['personal', 'ipv4'])).to.have.members([...personal, 'ipv4']);
    expect(ids(['credential']))
      .to.include('password')
      .and.not.include('email');
  });

  it('returns all default rules without names', () => {
    const on = ownRules.filter(({ byDefault }) => byDefault !== false).map(({ id }) => id);
    expect(ids()).to.deep.equal(on);
    expect(ids([])).to.deep.equal([]);
  });

  it('lists all unknown names at once, with suggestions', () => {
    const naming = () => rulesNamed(['github-pta', 'personnal', 'email', 'qqq']);
    expect(naming).to.throw(HooklineError, "'github-pta'. Did you mean 'github-pat'?");
    expect(naming).to.throw(HooklineError, "'personnal'. Did you mean 'personal'?");
    expect(naming).to.throw(HooklineError, "'qqq'. Name a category (credential, personal)");
  });
});
