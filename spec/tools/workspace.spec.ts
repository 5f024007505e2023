import { join } from 'node:path';
import { expect } from 'chai';
import { openWorkspace } from '../../lib/tools/workspace.ts';
import { makeSandbox } from './sandbox.ts';

describe('openWorkspace', () => {
  it('rejects a missing folder, and a file', () => {
    const sandbox = makeSandbox();
    sandbox.put({ 'file.txt': '' });
    for (const name of ['missing', 'file.txt']) {
      expect(() => openWorkspace(join(sandbox.root, name))).to.throw(/is not a directory; create it first/);
    }
    sandbox.remove();
  });
});
