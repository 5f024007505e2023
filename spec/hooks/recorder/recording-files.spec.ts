import * as fs from 'node:fs';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { recordingFiles } from '../../../lib/hooks/recorder/recording-files.ts';
import { tempFolder } from '../../temp-folder.ts';

type Write = (fd: number, bytes: Buffer, from?: number) => number;

/** Routes each write during `work` through `write`, which receives the real one. */
function withWrites(write: (real: Write) => Write, work: () => void): void {
  const module = require('node:fs');
  const { writeSync } = fs;
  Object.assign(module, { writeSync: write(writeSync as Write) });
  try {
    work();
  } finally {
    Object.assign(module, { writeSync });
  }
}

describe('recordingFiles', () => {
  const file = () => recordingFiles(tempFolder('recordings'), 9, () => true)(0, 'r');
  const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

  it('writes a line whole, also if the system writes it in parts', () => {
    const { path, append } = file();
    const byThree: (real: Write) => Write =
      (real) =>
      (fd, bytes, from = 0) =>
        real(fd, bytes.subarray(from, from + 3));
    withWrites(byThree, () => append('{"text":"one line, in parts"}\n'));
    append('{"text":"two"}\n');
    expect(lines(path).map((line) => JSON.parse(line))).to.deep.equal([
      { text: 'one line, in parts' },
      { text: 'two' },
    ]);
  });

  it('removes the part of a line that could not be written whole', () => {
    const made = file();
    made.append('{"text":"one"}\n');
    const { bytes } = made;
    let left = 1;
    const full: (real: Write) => Write = (real) => (fd, given) => {
      if (left-- > 0) return real(fd, given.subarray(0, 5));
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    withWrites(full, () => expect(() => made.append('{"text":"two"}\n')).to.throw('ENOSPC'));
    expect(made.bytes).to.equal(bytes);
    made.append('{"text":"three"}\n');
    expect(lines(made.path).map((line) => JSON.parse(line))).to.deep.equal([{ text: 'one' }, { text: 'three' }]);
  });
});
