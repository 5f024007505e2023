import type { FileHandle } from 'node:fs/promises';
import { expect } from 'chai';
import { readLines } from '../../../lib/tools/files/read-lines.ts';
import { rejection } from '../rejection.ts';

describe('readLines', () => {
  const { signal } = new AbortController();

  // An endless file.
  function endless(piece: string, onRead = () => {}): FileHandle {
    const read = async (buffer: Buffer) => {
      onRead();
      return { bytesRead: buffer.fill(piece).length, buffer };
    };
    return { read } as unknown as FileHandle;
  }

  it('reads no more of a file than it may return', async () => {
    const read = await readLines(endless('x\n'), { offset: 1, limit: Infinity, maxBytes: 100_001, signal });
    expect({ ...read, bytes: read.bytes.length }).to.deep.equal({
      bytes: 100_000,
      lines: 50_000,
      before: 0,
      more: true,
      cut: false,
    });
    expect(await readLines(endless('x'), { offset: 1, limit: 1, maxBytes: 10, signal })).to.include({
      cut: true,
      more: true,
    });
  });

  it('stops skipping lines when it is cancelled', async () => {
    const controller = new AbortController();
    const file = endless('x\n', () => controller.abort(new Error('cancelled')));
    const range = { offset: 1e12, limit: 1, maxBytes: 10, signal: controller.signal };
    expect((await rejection(readLines(file, range))).message).to.equal('cancelled');
  });
});
