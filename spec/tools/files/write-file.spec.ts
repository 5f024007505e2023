import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeFileTool } from '../../../lib/tools/files/write-file.ts';
import { callTool } from '../call-tool.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('write_file', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
  });
  afterEach(() => sandbox.remove());

  const write = (path: string, content = 'new') => callTool(writeFileTool(sandbox), { path, content });
  const text = (path: string) => readFileSync(join(sandbox.root, path), 'utf8');

  it('creates a file with its folders', async () => {
    expect((await write('a/b/c.txt', 'é')).content).to.equal('Created "a/b/c.txt" (2 bytes).');
    expect(text('a/b/c.txt')).to.equal('é');
  });

  it('replaces a whole longer file and keeps its mode', async () => {
    sandbox.put({ 'run.sh': 'a much longer text' });
    chmodSync(join(sandbox.root, 'run.sh'), 0o751);
    expect((await write('run.sh')).content).to.equal('Replaced "run.sh" (3 bytes).');
    expect(text('run.sh')).to.equal('new');
    expect(statSync(join(sandbox.root, 'run.sh')).mode & 0o777).to.equal(0o751);
  });

  it('leaves no other file', async () => {
    await write('file.txt');
    await write('file.txt');
    expect(readdirSync(sandbox.root)).to.deep.equal(['file.txt']);
  });

  it('writes through no link, and reports the real path', async () => {
    sandbox.put({ 'real/.env': 'old', 'outside/file.txt': 'old' });
    symlinkSync('real/.env', join(sandbox.root, 'notes.txt'));
    symlinkSync('real', join(sandbox.root, 'folder'));
    symlinkSync(sandbox.outside, join(sandbox.root, 'door'));
    symlinkSync(join(sandbox.outside, 'new.txt'), join(sandbox.root, 'dangling'));
    for (const path of ['notes.txt', 'folder/.env']) {
      const error = await rejection(write(path));
      expect(error).to.include({ code: 'INPUT_INVALID' });
      expect(error.message).to.contain('Use "real/.env" instead');
    }
    for (const path of ['door/file.txt', 'door/new/file.txt', 'dangling', '../outside/file.txt']) {
      expect(await rejection(write(path))).to.include({ code: 'PATH_OUTSIDE' });
    }
    expect(text('real/.env')).to.equal('old');
    expect(readdirSync(sandbox.outside)).to.deep.equal(['file.txt']);
    expect(text('../outside/file.txt')).to.equal('old');
  });

  it('does not write to a hard link of an outside file', async () => {
    sandbox.put({ 'outside/file.txt': 'old' });
    linkSync(join(sandbox.outside, 'file.txt'), join(sandbox.root, 'file.txt'));
    await write('file.txt');
    expect(text('file.txt')).to.equal('new');
    expect(text('../outside/file.txt')).to.equal('old');
  });

  it('rejects folders, special files, read-only files and files used as folders', async () => {
    sandbox.put({ 'locked.txt': 'old', 'file.txt': 'old' });
    mkdirSync(join(sandbox.root, 'folder'));
    execFileSync('mkfifo', [join(sandbox.root, 'fifo')]);
    chmodSync(join(sandbox.root, 'locked.txt'), 0o444);
    const refusals = {
      folder: /is a directory/,
      '.': /is a directory/,
      fifo: /special file/,
      'locked.txt': /read-only/,
      'file.txt/x': /not a directory/,
    };
    for (const [path, message] of Object.entries(refusals)) {
      const result = await write(path);
      expect(result.isError).to.equal(true);
      expect(result.content).to.match(message).and.contain(JSON.stringify(path));
    }
    expect(text('locked.txt')).to.equal('old');
    expect(readdirSync(sandbox.root)).to.have.length(4);
  });

  it('writes nothing if it was cancelled before', async () => {
    const reason = new Error('cancelled');
    const input = { path: 'a/file.txt', content: 'new' };
    expect(await rejection(callTool(writeFileTool(sandbox), input, AbortSignal.abort(reason)))).to.equal(reason);
    expect(readdirSync(sandbox.root)).to.deep.equal([]);
  });
});
