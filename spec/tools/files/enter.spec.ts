import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { enter, type Way } from '../../../lib/tools/files/enter.ts';
import { openWorkspace, type Workspace } from '../../../lib/tools/workspace.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

for (const portable of [false, true]) {
  describe(`enter ${portable ? 'without' : 'with'} descriptors as paths`, () => {
    let sandbox: Sandbox;
    let workspace: Workspace;

    beforeEach(() => {
      sandbox = makeSandbox();
      workspace = openWorkspace(sandbox.root);
      if (portable) workspace = { ...workspace, descriptors: undefined };
      sandbox.put({ 'src/deep/file.txt': 'text', 'outside/secret.txt': 'secret' });
    });
    afterEach(() => sandbox.remove());

    async function reach(path: string, way: Way = { links: 'follow' }): Promise<string> {
      const place = await enter(workspace, path, way);
      await place.folder.close();
      return place.path;
    }

    it('returns the real path from the workspace', async () => {
      expect(await reach('src/./deep/../deep/file.txt')).to.equal('src/deep/file.txt');
      expect(await reach('src/missing.txt')).to.equal('src/missing.txt');
      expect(await reach('.')).to.equal('.');
    });

    it('accepts an absolute path inside', async () => {
      expect(await reach(join(sandbox.root, 'src'))).to.equal('src');
    });

    it('accepts an absolute path with the name that the workspace was opened with', async () => {
      const alias = join(sandbox.outside, 'alias');
      symlinkSync(sandbox.root, alias);
      workspace = { ...openWorkspace(alias), descriptors: workspace.descriptors };
      expect(await reach(join(alias, 'src'))).to.equal('src');
      expect(await reach(join(sandbox.root, 'src'))).to.equal('src');
    });

    it('accepts names that start with two dots', async () => {
      expect(await reach('..src')).to.equal('..src');
    });

    for (const path of [
      '..',
      '../outside/secret.txt',
      'src/../../outside',
      '/',
      '/etc/passwd',
      '../workspace-2/file',
    ]) {
      it(`rejects ${path}`, async () => {
        const error = await rejection(reach(path));
        expect(error).to.include({ code: 'PATH_OUTSIDE' });
        expect(error.message).to.contain(JSON.stringify(path)).and.contain('Use a path inside it');
      });
    }

    it('rejects a link that leads outside, anywhere in the path, by name', async () => {
      symlinkSync(sandbox.outside, join(sandbox.root, 'src/door'));
      symlinkSync('../../outside/secret.txt', join(sandbox.root, 'src/window'));
      symlinkSync('door', join(sandbox.root, 'src/hall'));
      for (const path of ['src/door/secret.txt', 'src/door', 'src/window', 'src/hall/secret.txt', 'src/door/missing']) {
        const error = await rejection(reach(path));
        expect(error).to.include({ code: 'PATH_OUTSIDE' });
        expect(error.message).to.match(/through the symbolic link "src\/(door|window)"/);
      }
    });

    it('follows a link that stays inside', async () => {
      symlinkSync('src/deep', join(sandbox.root, 'relative'));
      symlinkSync(join(sandbox.root, 'relative'), join(sandbox.root, 'absolute'));
      symlinkSync('../..', join(sandbox.root, 'src/deep/top'));
      expect(await reach('relative/file.txt')).to.equal('src/deep/file.txt');
      expect(await reach('absolute/top/src')).to.equal('src');
    });

    it('follows no link if not allowed, and reports the real path', async () => {
      symlinkSync('src/deep', join(sandbox.root, 'link'));
      const error = await rejection(reach('link/file.txt', { links: 'refuse' }));
      expect(error).to.include({ code: 'INPUT_INVALID' });
      expect(error.message).to.contain('Use "src/deep/file.txt" instead');
      expect(await reach('link', { links: 'refuse', lastMayBeLink: true })).to.equal('link');
    });

    it('stops at circular links', async () => {
      symlinkSync('two', join(sandbox.root, 'one'));
      symlinkSync('one', join(sandbox.root, 'two'));
      expect(await rejection(reach('one/file'))).to.include({ code: 'ELOOP' });
    });

    it('creates missing folders only on request', async () => {
      expect(await rejection(reach('new/folder/file.txt'))).to.include({ code: 'ENOENT' });
      expect(await reach('new/folder/file.txt', { links: 'refuse', create: true })).to.equal('new/folder/file.txt');
      mkdirSync(join(sandbox.root, 'new/folder/below'));
    });
  });
}
