import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listFilesTool } from '../../../lib/tools/files/list-files.ts';
import { callTool } from '../call-tool.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('list_files', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
    const files = ['b.txt', 'a.ts', 'src/c.ts', 'src/deep/d.ts', 'node_modules/x/i.js', '.git/config', '.env'];
    sandbox.put(Object.fromEntries(files.map((file) => [file, ''])));
  });
  afterEach(() => sandbox.remove());

  const list = async (input: object, options: object = {}) =>
    (await callTool(listFilesTool({ ...sandbox, ...options }), input)).content.split('\n');

  it('lists one folder by name', async () => {
    const skipped = ['.env', '.git/ (not entered)', 'a.ts', 'b.txt', 'node_modules/ (not entered)', 'src/'];
    expect(await list({})).to.deep.equal(['.env', ...skipped.slice(1)]);
    expect(await list({ path: 'src' })).to.deep.equal(['src/c.ts', 'src/deep/']);
  });

  it('lists all folders, nearest first, without entering node_modules and .git', async () => {
    expect((await list({ recursive: true })).slice(-3)).to.deep.equal(['src/c.ts', 'src/deep/', 'src/deep/d.ts']);
    expect(await list({ recursive: true })).to.have.length(9);
    expect(await list({ recursive: true }, { skip: ['src'] }))
      .to.include('node_modules/x/i.js')
      .and.not.include('src/c.ts');
  });

  it('enters a skipped folder if it is requested by name', async () => {
    expect(await list({ path: 'node_modules' })).to.deep.equal(['node_modules/x/']);
  });

  it('lists matches of a glob, relative to the listed folder', async () => {
    expect(await list({ glob: '*.ts' })).to.deep.equal(['a.ts', 'src/c.ts', 'src/deep/d.ts']);
    expect(await list({ path: 'src', glob: 'deep/*' })).to.deep.equal(['src/deep/d.ts']);
    expect(await list({ glob: '*.py' })).to.deep.equal(['["." contains nothing that matches.]']);
  });

  it('stops at the limit with a notice', async () => {
    const lines = await list({ recursive: true }, { maxEntries: 3 });
    expect(lines.slice(0, 3)).to.deep.equal(['.env', '.git/ (not entered)', 'a.ts']);
    expect(lines.slice(3).join()).to.match(/^\[Only the first 3 are shown/);
    expect(await list({}, { maxEntries: 6 })).to.have.length(6);
  });

  it('marks links and special files, and follows no link', async () => {
    sandbox.put({ 'outside/secret.txt': '' });
    symlinkSync(sandbox.outside, join(sandbox.root, 'src/door'));
    symlinkSync('..', join(sandbox.root, 'src/loop'));
    execFileSync('mkfifo', [join(sandbox.root, 'src/fifo')]);
    const lines = await list({ path: 'src', recursive: true });
    expect(lines).to.include.members([
      'src/door (symbolic link)',
      'src/loop (symbolic link)',
      'src/fifo (special file)',
    ]);
    expect(lines).to.have.length(6);
    expect(await rejection(list({ path: 'src/door' }))).to.include({ code: 'PATH_OUTSIDE' });
  });

  it('keeps a name with a line break on one line', async () => {
    sandbox.put({ 'odd/a\nb.txt': '' });
    expect(await list({ path: 'odd' })).to.deep.equal(['odd/a\\u000ab.txt']);
  });

  it('lists a single file, and reports a missing path', async () => {
    expect(await list({ path: 'src/c.ts' })).to.deep.equal(['src/c.ts']);
    expect((await list({ path: 'no' })).join()).to.contain('"no" does not exist');
  });

  it('supports cancellation, and leaves no descriptor open', async () => {
    const open = () => readdirSync('/dev/fd').length;
    const before = open();
    const controller = new AbortController();
    const listing = callTool(listFilesTool(sandbox), { recursive: true }, controller.signal);
    controller.abort(new Error('cancelled'));
    expect((await rejection(listing)).message).to.equal('cancelled');
    await list({ recursive: true }, { maxEntries: 1 });
    expect(open()).to.equal(before);
  });
});
