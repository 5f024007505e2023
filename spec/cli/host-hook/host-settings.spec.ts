import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { settingsPaths, variableFiles } from '../../../lib/cli/host-hook/host-settings.ts';

describe('the guarded settings of hosts', () => {
  it('are also files that switch hooks off at the next start', () => {
    expect(settingsPaths('/w/shop')).to.include.members([
      join(homedir(), '.gemini/trustedFolders.json'),
      join(homedir(), '.gemini/.env'),
      join(homedir(), '.codex/.env'),
      '/w/shop/.gemini/.env',
    ]);
  });

  it('are also files of variables, in all folders above', () => {
    expect(variableFiles('/w/shop')).to.deep.equal(['/w/shop/.env', '/w/.env', '/.env', join(homedir(), '.env')]);
  });
});
