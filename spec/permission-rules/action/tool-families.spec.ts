import { expect } from 'chai';
import {
  familiesOf,
  isInFamily,
  kindOfSpecifier,
  toolFamilies,
} from '../../../lib/permission-rules/action/tool-families.ts';
import { ruleMatcher } from '../../../lib/permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../../lib/permission-rules/permission-rule.ts';

const place = { cwd: '/project/app', home: '/home/me' };
const tools = [...Object.values(toolFamilies).flat(), 'delete_file', 'Bash', 'WebFetch', 'other'];

describe('a tool family', () => {
  it('is wider in deny rules than in allow rules, by deletion only', () => {
    for (const family of [...Object.keys(toolFamilies), 'Bash', 'other'])
      for (const tool of tools) {
        const [allows, refuses] = [isInFamily(family, tool, 'allow'), isInFamily(family, tool, 'refuse')];
        expect(refuses && !allows, `${family} of ${tool}`).to.equal(family === 'Edit' && tool === 'delete_file');
        expect(allows && !refuses, `${family} of ${tool}`).to.equal(false);
      }
  });

  it('matches with and without a pattern', () => {
    for (const rule of ['Edit', 'Edit(docs/**)', 'Edit(//project/app/docs/*)']) {
      const fits = (effect?: 'allow' | 'refuse') =>
        ruleMatcher([parsePermissionRule(rule)], place, effect)({ tool: 'delete_file', input: { path: 'docs/a' } });
      expect([fits(), fits('refuse'), fits('allow')], rule).to.deep.equal(['all', 'all', 'none']);
    }
  });

  it('determines the specifiers of its tools', () => {
    expect(kindOfSpecifier('delete_file')).to.equal('path');
    expect(familiesOf('delete_file')).to.deep.equal(['Edit']);
    expect(familiesOf('Grep')).to.deep.equal(['Read']);
    expect(familiesOf('PowerShell')).to.deep.equal(['Bash']);
    expect(familiesOf('WebFetch')).to.deep.equal([]);
  });
});
