import { constants, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openExact } from '../../../lib/tools/files/open-exact.ts';
import { openWorkspace } from '../../../lib/tools/workspace.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('openExact', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
    sandbox.put({ 'file.txt': '', 'outside/file.txt': '' });
  });
  afterEach(() => sandbox.remove());

  const openAt = async (path: string, descriptors?: string) => {
    const at = join(sandbox.root, path);
    const workspace = { ...openWorkspace(sandbox.root), descriptors };
    await (await openExact(workspace, at, at, constants.O_RDONLY)).close();
  };

  it('does not follow a link at the end of the path', async () => {
    symlinkSync('file.txt', join(sandbox.root, 'link'));
    expect(await rejection(openAt('link', '/proc/self/fd'))).to.include({ code: 'ELOOP' });
  });

  it('detects without descriptors as paths that a folder was replaced by a link', async () => {
    symlinkSync(sandbox.outside, join(sandbox.root, 'folder'));
    await openAt('file.txt');
    expect(await rejection(openAt('folder/file.txt'))).to.include({ code: 'PATH_OUTSIDE' });
  });
});
