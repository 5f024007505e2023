import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HooklineError } from '../../../lib/errors.ts';
import { readWords } from '../../../lib/hooks/word-filter/read-words.ts';
import { tempFolder } from '../../temp-folder.ts';

const folder = tempFolder('read-words');
const reader = join(__dirname, '../../../lib/hooks/word-filter/read-words.ts');

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function refusalOf(path: string): string {
  try {
    readWords('mine', path);
  } catch (thrown) {
    expect(thrown).to.be.instanceOf(HooklineError).with.property('code', 'OPTIONS_INVALID');
    return (thrown as Error).message;
  }
  return `${path} is read`;
}

/** The output of a separate process that reads the file. It is killed if it waits forever or runs out of memory. */
function apart(path: string): string {
  const code = `try { require(${JSON.stringify(reader)}).readWords('mine', process.argv[1]) } catch (e) { console.log(e.message) }`;
  const flags = ['-C', 'hookline:source', '-r', 'ts-node/register', '-e', code, path];
  const { stdout, signal } = spawnSync(process.execPath, flags, { encoding: 'utf8', timeout: 20_000 });
  return signal ?? stdout.trim();
}

const refused = (path: string, why: string) => `The hook "mine": cannot read the word file ${path}: ${why}.`;

describe('readWords', () => {
  it('reads UTF-8 words with and without a byte order mark, and through a link', () => {
    const path = file('plain.txt', 'Müller\r\n# no word\n\n 坏蛋 \n');
    symlinkSync(path, join(folder, 'link.txt'));
    for (const each of [path, join(folder, 'link.txt'), file('bom.txt', '\ufeffMüller\n坏蛋')])
      expect(readWords('mine', each), each).to.deep.equal(['Müller', '坏蛋']);
  });

  it('rejects text that is not UTF-8 and names the fix', () => {
    const utf16 = Buffer.from('heck\nMüller\n', 'utf16le');
    const files = {
      'latin1.txt': Buffer.from('heck\nMüller\n', 'latin1'),
      'utf16le.txt': utf16,
      'utf16le-bom.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      'utf16be-ascii.txt': Buffer.from('heck\n', 'utf16le').swap16(),
      'utf16le-ascii.txt': Buffer.from('heck\n', 'utf16le'),
      'cut.txt': Buffer.from('坏蛋').subarray(0, 5),
    };
    const paths = Object.entries(files).map(([name, bytes]) => file(name, bytes));
    const why = 'it is not UTF-8; save it as UTF-8';
    expect(paths.map(refusalOf)).to.deep.equal(paths.map((path) => refused(path, why)));
  });

  it('rejects folders, devices and pipes without waiting for them', () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const why = 'it is not a regular file; use a file with one word per line';
    const paths = [inner, pipe, '/dev/null', '/dev/zero'];
    expect(paths.map(apart)).to.deep.equal(paths.map((path) => refused(path, why)));
  }).timeout(60_000);

  it('rejects more than 20 MB', () => {
    const path = file('long.txt', 'heck\n');
    truncateSync(path, 20_000_001);
    expect(refusalOf(path)).to.equal(refused(path, 'it is larger than 20 MB; split it'));
  });
});
