import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deleteFileTool } from '../../../lib/tools/files/delete-file.ts';
import { callTool } from '../call-tool.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('delete_file', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
    sandbox.put({ 'a/file.txt': '', 'outside/file.txt': '' });
  });
  afterEach(() => sandbox.remove());

  const remove = (path: string) => callTool(deleteFileTool(sandbox), { path });

  it('deletes one file', async () => {
    expect(await remove('a/file.txt')).to.include({ content: 'Deleted "a/file.txt".', isError: false });
    expect(readdirSync(join(sandbox.root, 'a'))).to.deep.equal([]);
  });

  it('deletes a link, not its target', async () => {
    symlinkSync(join(sandbox.outside, 'file.txt'), join(sandbox.root, 'link'));
    await remove('link');
    expect(readdirSync(sandbox.root)).to.deep.equal(['a']);
    expect(existsSync(join(sandbox.outside, 'file.txt'))).to.equal(true);
  });

  it('deletes nothing outside the workspace or through a link', async () => {
    symlinkSync(sandbox.outside, join(sandbox.root, 'door'));
    symlinkSync('a', join(sandbox.root, 'b'));
    for (const path of ['door/file.txt', '../outside/file.txt', join(sandbox.outside, 'file.txt')]) {
      expect(await rejection(remove(path))).to.include({ code: 'PATH_OUTSIDE' });
    }
    expect(await rejection(remove('b/file.txt'))).to.include({ code: 'INPUT_INVALID' });
    expect(existsSync(join(sandbox.outside, 'file.txt'))).to.equal(true);
    expect(existsSync(join(sandbox.root, 'a/file.txt'))).to.equal(true);
  });

  it('does not delete folders, and reports missing files', async () => {
    for (const path of ['a', '.']) expect((await remove(path)).content).to.contain(`"${path}" is a directory.`);
    expect(await remove('a/no.txt')).to.deep.include({ isError: true });
    expect((await remove('a/no.txt')).content).to.contain('"a/no.txt" does not exist');
  });
});
