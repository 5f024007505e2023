import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { readFileTool } from '../../../lib/tools/files/read-file.ts';
import { callTool, fits } from '../call-tool.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('read_file', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
  });
  afterEach(() => sandbox.remove());

  const read = (input: object, maxBytes?: number) => callTool(readFileTool({ ...sandbox, maxBytes }), input);

  it('returns a text file unchanged', async () => {
    sandbox.put({ 'a/b.txt': '\uFEFFone\r\ntwo\n\nπ 👩‍🚀' });
    expect(await read({ path: 'a/b.txt' })).to.include({ content: '\uFEFFone\r\ntwo\n\nπ 👩‍🚀', isError: false });
  });

  it('returns a range of lines and the offset to continue', async () => {
    sandbox.put({ 'file.txt': 'one\ntwo\nthree\nfour' });
    const some = await read({ path: 'file.txt', offset: 2, limit: 2 });
    expect(some.content).to.equal(
      'two\nthree\n\n[Lines 2 to 3 of "file.txt" (18 bytes in all); continue with offset 4.]',
    );
    expect((await read({ path: 'file.txt', offset: 4, limit: 5 })).content).to.equal('four');
    expect((await read({ path: 'file.txt', offset: 3, limit: 2 })).content).to.equal('three\nfour');
  });

  it('reports an offset after the end, and an empty file', async () => {
    sandbox.put({ 'file.txt': 'one\ntwo\n', 'empty.txt': '' });
    expect(await read({ path: 'file.txt', offset: 3 })).to.deep.include({ isError: true });
    expect(await read({ path: 'empty.txt' })).to.include({ content: '["empty.txt" is empty.]', isError: false });
  });

  it('stops a big file after a whole line, and offset continues to the end', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index} é\n`).join('');
    sandbox.put({ 'big.txt': text });
    let [all, offset, calls]: [string, number | undefined, number] = ['', 1, 0];
    while (offset !== undefined) {
      const { content } = await read({ path: 'big.txt', offset }, 70_000);
      const [body, notice] = content.split(/\n\[Lines/);
      expect(Buffer.byteLength(body!)).to.be.at.most(70_000);
      all += body;
      calls += 1;
      const next = /continue with offset (\d+)/.exec(notice ?? '')?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(all === text).to.equal(true);
    expect(calls).to.equal(Math.ceil(Buffer.byteLength(text) / 70_000));
  });

  it('returns at most 256 KiB by default', async () => {
    sandbox.put({ 'big.txt': `${'x'.repeat(99)}\n`.repeat(10_000) });
    const { content } = await read({ path: 'big.txt' });
    expect(content).to.match(/continue with offset 2622.\]$/);
    expect(content.length).to.be.within(262_000, 262_144 + 100);
  });

  it('cuts a long line between characters', async () => {
    sandbox.put({ 'line.txt': `${'é👩'.repeat(20)}\nnext` });
    for (let maxBytes = 4; maxBytes < 40; maxBytes += 1) {
      const { content } = await read({ path: 'line.txt' }, maxBytes);
      expect(content).to.contain('[Line 1 of "line.txt" is cut after').and.not.contain('\uFFFD');
    }
    expect((await read({ path: 'line.txt', offset: 2 }, 10)).content).to.equal('next');
  });

  it('rejects binary files', async () => {
    sandbox.put({ 'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), 'noise.bin': Buffer.alloc(500, 0xfe) });
    for (const path of ['image.png', 'noise.bin']) {
      const result = await read({ path });
      expect(result.isError).to.equal(true);
      expect(result.content).to.contain(`"${path}" is not text`);
    }
    sandbox.put({ 'early.bin': 'a\0\ntext', 'late.bin': `${'text\n'.repeat(2000)}\0` });
    for (const path of ['early.bin', 'late.bin']) expect((await read({ path, offset: 2 })).isError).to.equal(true);
  });

  it('rejects folders, FIFOs and sockets without waiting', async () => {
    sandbox.put({ 'folder/file.txt': '' });
    execFileSync('mkfifo', [join(sandbox.root, 'fifo')]);
    const server = createServer().listen(join(sandbox.root, 'socket'));
    for (const path of ['folder', '.', 'fifo', 'socket']) {
      expect((await read({ path })).content).to.equal(`"${path}" is a directory or a special file. Pass a text file.`);
    }
    server.close();
  });

  it('reports a missing file to the model, with advice', async () => {
    sandbox.put({ 'file.txt': '' });
    expect(await read({ path: 'no.txt' })).to.include({
      content: '"no.txt" does not exist. list_files lists the files.',
      isError: true,
    });
    expect((await read({ path: 'file.txt/below' })).content).to.contain(
      'goes through something that is not a directory',
    );
    expect((await read({ path: 'x'.repeat(300) })).content).to.contain('is too long');
  });

  it('follows a link inside, and throws on one that leads outside', async () => {
    sandbox.put({ 'file.txt': 'inside', 'outside/secret.txt': 'secret' });
    symlinkSync('file.txt', join(sandbox.root, 'link'));
    symlinkSync(join(sandbox.outside, 'secret.txt'), join(sandbox.root, 'door'));
    expect((await read({ path: 'link' })).content).to.equal('inside');
    expect(await rejection(read({ path: 'door' }))).to.include({ name: 'HooklineError', code: 'PATH_OUTSIDE' });
  });

  it('throws the reason of a cancellation', async () => {
    sandbox.put({ 'file.txt': '' });
    const reason = new Error('cancelled');
    expect(await rejection(callTool(readFileTool(sandbox), { path: 'file.txt' }, AbortSignal.abort(reason)))).to.equal(
      reason,
    );
  });

  it('leaves no descriptor open', async () => {
    sandbox.put({ 'a/file.txt': 'x', 'a/b.bin': Buffer.alloc(9) });
    const open = () => readdirSync('/dev/fd').length;
    const before = open();
    for (const path of ['a/file.txt', 'a/b.bin', 'a', 'a/no', '../x', 'a/file.txt/x'])
      await read({ path }).catch(() => {});
    expect(open()).to.equal(before);
  });

  it('rejects a path with a NUL', async () => {
    expect(await fits(readFileTool(sandbox), { path: 'a\0b' })).to.equal(false);
  });

  it('reports an invalid option', () => {
    expect(() => readFileTool({ ...sandbox, maxBytes: -1 })).to.throw(/readFileTool\(\): .*maxBytes/s);
  });
});
