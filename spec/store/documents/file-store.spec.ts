import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HooklineError } from '../../../lib/errors.ts';
import { fileName, keyOfFileName } from '../../../lib/store/documents/file-name.ts';
import { fileStore } from '../../../lib/store/documents/file-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import { startSaver } from './saver.ts';

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was not refused'),
    (thrown: HooklineError) => {
      expect(thrown).to.be.instanceOf(HooklineError);
      return thrown;
    },
  );

describe('fileStore', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(tempFolder('store'), 'made', 'here');
  });

  it('writes one readable file per document, with its format and version', async () => {
    await fileStore(folder).write(['configs', 'alice'], { a: 1 });
    expect(readdirSync(folder)).to.deep.equal(['configs~alice.json']);
    const file = JSON.parse(readFileSync(join(folder, 'configs~alice.json'), 'utf8'));
    expect(file).to.deep.include({ format: 'hookline-document', version: 1, key: ['configs', 'alice'] });
    expect(file.revisions).to.have.length(1);
  });

  it('restricts reading to the owner', async function () {
    if (process.platform === 'win32') {
      console.log('      passed over: Windows has no file modes');
      this.skip();
    }
    const store = fileStore(folder);
    for (const _ of [1, 2]) await store.write(['a'], 1);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder, 'a.json')).mode & 0o777).to.equal(0o600);
  });

  it('reads and lists nothing without a folder, and does not create it', async () => {
    const store = fileStore(folder);
    expect([await store.read(['a']), await store.list([])]).to.deep.equal([undefined, []]);
    expect(() => statSync(folder)).to.throw('ENOENT');
  });

  for (const [what, content, told] of [
    [
      'is not JSON',
      '{"format":"hookline-doc',
      /is not JSON\. Fix it, or move it away to start a new one; it is not overwritten/,
    ],
    ['is not a document', '{"name":"x"}', /is not a document of Hookline/],
    ['has a newer version', '{"format":"hookline-document","version":2}', /has version 2 .* Use the newer Hookline/],
    [
      'is damaged',
      '{"format":"hookline-document","version":1,"key":["a"],"revisions":[{"revision":0}]}',
      /is a damaged document: [\s\S]*revisions\[0\]\.revision/,
    ],
  ] as const) {
    it(`rejects a file that ${what}, by its path, and keeps it`, async () => {
      mkdirSync(folder, { recursive: true });
      const path = join(folder, 'a.json');
      writeFileSync(path, content);
      const store = fileStore(folder);
      const works = [() => store.read(['a']), () => store.write(['a'], 1), () => store.remove(['a'])];
      for (const work of works) {
        const { code, message } = await rejection(work());
        expect(code).to.equal('STORE_FAILED');
        expect(message).to.match(told).and.include(`"${path}"`);
      }
      expect(readFileSync(path, 'utf8')).to.equal(content);
    });
  }

  it('rejects a file that has the name of another document', async () => {
    const store = fileStore(folder);
    await store.write(['a'], 1);
    writeFileSync(join(folder, 'b.json'), readFileSync(join(folder, 'a.json')));
    const { code, message } = await rejection(store.read(['b']));
    expect([code, message]).to.deep.equal([
      'STORE_FAILED',
      `"${join(folder, 'b.json')}" holds the document ["a"], not ["b"]. Give the file back the name that it had.`,
    ]);
  });

  it('throws errors of the file system as the cause', async () => {
    mkdirSync(join(folder, 'a.json'), { recursive: true });
    writeFileSync(join(folder, 'plain'), '');
    const reading = await rejection(fileStore(folder).read(['a']));
    expect(reading).to.include({ code: 'STORE_FAILED' });
    expect(reading.message).to.include(folder).and.include('cannot read the document ["a"]: EISDIR');
    expect(reading.cause).to.include({ code: 'EISDIR' });
    const within = await rejection(fileStore(join(folder, 'plain')).write(['a'], 1));
    expect(within.cause).to.include({ code: 'EEXIST' });
  });

  it('skips files that are not documents in lists', async () => {
    const store = fileStore(folder);
    await store.write(['a'], 1);
    for (const name of ['notes.txt', 'A.json', 'b.json.123', 'b.json.owner']) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, 'b.json.lock'));
    expect(await store.list([])).to.deep.equal([['a']]);
  });

  it('removes temporary files older than an hour on the first write', async () => {
    mkdirSync(folder, { recursive: true });
    for (const name of ['old.json.1', 'new.json.2', 'old.txt']) writeFileSync(join(folder, name), '');
    for (const name of ['old.json.1', 'old.txt']) utimesSync(join(folder, name), new Date(0), new Date(0));
    await fileStore(folder).write(['a'], 1);
    expect(readdirSync(folder).sort()).to.deep.equal(['a.json', 'new.json.2', 'old.txt']);
  });

  it('waits for a lock up to its timeout and names the holder; reads need no lock', async () => {
    const holder = startSaver('hold', folder);
    try {
      await once(holder.stdout!, 'data');
      const store = fileStore(folder, { waitMs: 100 });
      const { code, message } = await rejection(store.write(['held'], 'second'));
      expect(code).to.equal('STORE_FAILED');
      expect(message).to.include(
        `"${join(folder, 'held.json')}" has been locked for 100 ms by process ${holder.pid} on`,
      );
      expect((await store.read(['held']))?.value).to.equal('first');
      expect((await store.write(['other'], 1)).revision).to.equal(1);
    } finally {
      holder.kill('SIGKILL');
    }
  });

  it('loses no increment of two concurrent processes', async () => {
    const processes = [1, 2].map(() => startSaver('count', folder, '200'));
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'close'))[0]));
    expect(codes).to.deep.equal([0, 0]);
    const counter = await fileStore(folder).read(['counter']);
    expect(counter).to.include({ value: 400, revision: 400 });
  });

  it('rejects invalid folders and times', () => {
    for (const make of [
      () => fileStore(''),
      () => fileStore('a', { staleMs: 10 }),
      () => fileStore('a', { waitMs: -1 }),
    ])
      expect(make)
        .to.throw(HooklineError, /^fileStore\(folder.*must be/)
        .with.property('code', 'OPTIONS_INVALID');
  });
});

describe('file name of a document', () => {
  it('is safe on case-insensitive file systems and with device names', () => {
    const names = [['Alice', 'x.y'], ['..', ''], ['con'], ['con', 'a'], ['\ud83d']].map((key) =>
      fileName(key as [string]),
    );
    expect(names).to.deep.equal([
      '%0041lice~x%002ey.json',
      '%002e%002e~%.json',
      '%0063on.json',
      'con~a.json',
      '%d83d.json',
    ]);
  });

  it('maps back to the key, except for long ones', () => {
    for (const key of [['a'], ['Ä', ''], ['', ''], ['con'], ['~', '%', '.json']] as [string][])
      expect(keyOfFileName(fileName(key))).to.deep.equal(key);
    const long = fileName(['x'.repeat(300)]);
    expect(long).to.have.length.below(220);
    expect(keyOfFileName(long)).to.equal('long');
  });
});
