import { execFileSync } from 'node:child_process';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readText } from '../../../lib/hooks/files/read-text.ts';
import { sameStamp, stampOf } from '../../../lib/hooks/files/stamp.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('readText', () => {
  const folder = tempFolder('read');
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('returns the text without its byte order mark, and the stamp of the file', () => {
    const path = file('a.txt', '\uFEFFgrüße');
    const { text, stamp } = readText(path, 100);
    expect(text).to.equal('grüße');
    expect(sameStamp(stamp, stampOf(statSync(path)))).to.equal(true);
    expect(readText(file('empty', ''), 100).text).to.equal('');
  });

  it('returns no text for binary files', () => {
    expect(readText(file('nul', 'text and \0 text'), 100).text).to.equal(undefined);
    expect(readText(file('latin', Buffer.from([0xe4, 0xf6, 0xfc, 0x61])), 100).text).to.equal(undefined);
  });

  it('rejects links, folders, too long files and pipes, without waiting for them', () => {
    symlinkSync(file('b.txt', 'b'), join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [join(folder, 'link'), join(folder, 'pipe'), folder, file('long', 'x'.repeat(101))])
      expect(() => readText(path, 100), path).to.throw();
  });
});
