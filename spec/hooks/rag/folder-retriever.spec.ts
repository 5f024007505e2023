import * as fs from 'node:fs';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { tempFolder } from '../../temp-folder.ts';
import { retriever, write } from './folder-scene.ts';

/** The files below `folder` that were opened during `work`. */
async function opened(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  const { openSync, readFileSync: readFile } = fs;
  const spy = <A extends unknown[], R>(real: (...args: A) => R) =>
    ((...args: A) => {
      if (String(args[0]).startsWith(folder)) paths.push(String(args[0]).slice(folder.length + 1));
      return real(...args);
    }) as never;
  const module = require('node:fs');
  Object.assign(module, { openSync: spy(openSync), readFileSync: spy(readFile) });
  try {
    await work();
  } finally {
    Object.assign(module, { openSync, readFileSync: readFile });
  }
  return paths;
}

const indexFile = (state: string) => join(state, 'rag', readdirSync(join(state, 'rag'))[0] as string);

describe('folderRetriever', () => {
  it('finds passages with their file, lines, title and score', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'docs/server.md': '# Server\n\nThe server listens on port 8080.\n', 'b.ts': 'const apple = 1;\n' });
    const [first, ...others] = await retriever(folder).ask('Which port does the server listen on?');
    expect(others).to.deep.equal([]);
    expect(first).to.deep.include({
      source: 'docs/server.md',
      lines: [1, 4],
      title: 'Server',
      text: '# Server\n\nThe server listens on port 8080.\n',
    });
    expect(first?.score).to.be.greaterThan(0);
  });

  it('reads added, changed and removed files at the next query', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple', 'b.md': 'banana', 'c.md': 'cherry' });
    const { sources } = retriever(folder);
    expect(await sources('apple banana cherry')).to.deep.equal(['a.md', 'b.md', 'c.md']);
    write(folder, { 'a.md': 'apricot', 'd.md': 'cherry' });
    rmSync(join(folder, 'b.md'));
    expect(await sources('apple banana cherry')).to.deep.equal(['c.md', 'd.md']);
    expect(await sources('apricot')).to.deep.equal(['a.md']);
  });

  it('detects a change with the same size and a reset modification time', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple' });
    // Whole seconds can be restored exactly.
    const putBack = () => utimesSync(join(folder, 'a.md'), 1_000_000, 1_000_000);
    putBack();
    const { sources } = retriever(folder);
    await sources('apple');
    write(folder, { 'a.md': 'peach' });
    putBack();
    expect(await sources('peach')).to.deep.equal(['a.md']);
  });

  it('keeps its index in the state folder and rereads no unchanged folder', async () => {
    const [folder, state] = [tempFolder('rag'), tempFolder('state')];
    write(folder, { 'a.md': 'apple', 'b/c.md': 'cherry', 'b/.gitignore': 'x\n', 'b.bin': Buffer.from([0, 1, 2]) });
    expect(await opened(folder, () => retriever(folder, {}, state).ask('apple'))).to.have.members([
      'a.md',
      'b.bin',
      'b/.gitignore',
      'b/c.md',
    ]);
    const again = retriever(folder, {}, state);
    expect(
      await opened(folder, async () => expect(await again.sources('apple cherry')).to.deep.equal(['a.md', 'b/c.md'])),
    ).to.deep.equal([]);
    write(folder, { 'b/c.md': 'cranberry' });
    expect(await opened(folder, () => again.ask('apple'))).to.deep.equal(['b/c.md']);
    expect(await retriever(folder, {}, state).sources('cranberry')).to.deep.equal(['b/c.md']);
  });

  it('writes an owner-only index', async () => {
    const [folder, state] = [tempFolder('rag'), tempFolder('state')];
    write(folder, { 'a.md': 'apple' });
    await retriever(folder, {}, state).ask('apple');
    expect(statSync(indexFile(state)).mode & 0o777).to.equal(0o600);
    expect(statSync(join(state, 'rag')).mode & 0o777).to.equal(0o700);
  });

  it('rebuilds and logs an index that is truncated, damaged or of another version', async () => {
    const [folder, state] = [tempFolder('rag'), tempFolder('state')];
    write(folder, { 'a.md': 'apple' });
    await retriever(folder, {}, state).ask('apple');
    const file = indexFile(state);
    const whole = readFileSync(file, 'utf8');
    for (const [text, why] of [
      [whole.slice(0, -20), 'truncated'],
      ['', 'truncated'],
      ['null', 'has version'],
      [whole.replace('"version":2', '"version":1'), 'it has version 1, expected 2'],
      [whole.replace('"lines"', '"limes"'), 'damaged'],
      [whole.replace('"engine":{', '"engine":{"serializationVersion":99,"x":{').replace(/\}$/, '}}'), ''],
    ] as const) {
      writeFileSync(file, text);
      const { sources, lines } = retriever(folder, {}, state);
      expect(await sources('apple'), why).to.deep.equal(['a.md']);
      expect(lines().join(), text.slice(0, 40)).to.contain('is rebuilt').and.to.contain(why);
      expect(readFileSync(file, 'utf8')).to.contain('"version":2');
      expect(await retriever(folder, {}, state).sources('apple')).to.deep.equal(['a.md']);
    }
  });

  it('continues in memory if the index cannot be written', async () => {
    const [folder, state] = [tempFolder('rag'), tempFolder('state')];
    write(folder, { 'a.md': 'apple' });
    writeFileSync(join(state, 'rag'), 'in the way');
    const { sources, lines } = retriever(folder, {}, state);
    expect(await sources('apple')).to.deep.equal(['a.md']);
    expect(lines().join()).to.contain('stays in memory');
  });

  it('skips and reports links out of the folder, binaries, and ignored or too large files', async () => {
    const [folder, outside] = [tempFolder('rag'), tempFolder('outside')];
    write(outside, { 'secret.md': 'apple' });
    write(folder, {
      'a.md': 'apple',
      'image.png': Buffer.from([0x89, 0x50, 0, 1]),
      '.env': 'apple',
      'node_modules/x/readme.md': 'apple',
      '.gitignore': 'build/\n*.log\n',
      'x.log': 'apple',
      'keep/.gitignore': '!x.log\n',
      'keep/x.log': 'apple',
      'build/out.md': 'apple',
      'large.md': 'apple '.repeat(100),
    });
    symlinkSync(join(outside, 'secret.md'), join(folder, 'file-link.md'));
    symlinkSync(outside, join(folder, 'folder-link'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    symlinkSync(join(folder, 'a.md'), join(folder, 'inner.md'));
    const { sources, lines, ask } = retriever(folder, { maxFileBytes: 500 });
    expect(await sources('apple')).to.deep.equal(['a.md', 'keep/x.log']);
    expect(lines()).to.have.length(1);
    expect(lines()[0])
      .to.contain('3 links that lead out of the directory, or are broken (dangling, file-link.md, folder-link)')
      .and.to.contain('1 too large (large.md)')
      .and.to.contain('1 binary (image.png)')
      .and.to.contain('ignored (.env, .gitignore, build, node_modules, x.log');
    await ask('apple');
    expect(lines(), 'said once').to.have.length(1);
  });

  it('logs skipped files once, and in later processes only changes', async () => {
    const [folder, state] = [tempFolder('rag'), tempFolder('state')];
    write(folder, { 'a.md': 'apple', 'b.bin': Buffer.from([0, 1]) });
    const told = async () => {
      const { ask, lines } = retriever(folder, {}, state);
      await ask('apple');
      await ask('apple');
      return lines();
    };
    expect(await told()).to.deep.equal(['of the directory was skipped: 1 binary (b.bin)']);
    expect(await told()).to.deep.equal([]);
    write(folder, { 'c.bin': Buffer.from([0, 1]) });
    expect(await told()).to.deep.equal(['of the directory was skipped: 2 binary (b.bin, c.bin)']);
    expect(await told()).to.deep.equal([]);
  });

  it('reads only files that match a pattern, up to a maximum', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple', 'b.txt': 'apple', 'c/d.md': 'apple', '.x/y.md': 'apple' });
    expect(await retriever(folder, { include: ['*.md'] }).sources('apple')).to.deep.equal(['a.md', 'c/d.md']);
    expect(await retriever(folder, { exclude: ['c/'] }).sources('apple')).to.deep.equal(['.x/y.md', 'a.md', 'b.txt']);
    const few = retriever(folder, { maxFiles: 2 });
    expect(await few.sources('apple')).to.have.length(2);
    expect(few.lines().join()).to.contain('1 more than maxFiles (c/d.md)');
  });

  it('never reads the state folder under any of its names', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple', 'state/long-term-memory/ann.json': 'apple' });
    const link = join(tempFolder('links'), 'state');
    symlinkSync(join(folder, 'state'), link);
    for (const state of [join(folder, 'state'), link, join(folder, 'later')]) {
      const { sources, ask } = retriever(folder, { exclude: state.endsWith('later') ? ['state/'] : [] }, state);
      await ask('apple');
      expect(await sources('apple'), state).to.deep.equal(['a.md']);
    }
    expect(() => retriever(folder, {}, folder))
      .to.throw('contains the state of hooks')
      .with.property('code', 'OPTIONS_INVALID');
  });

  it('checks the folder at most every refreshMs', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple' });
    const { sources } = retriever(folder, { refreshMs: 1_000_000 });
    await sources('apple');
    write(folder, { 'b.md': 'apple' });
    expect(await sources('apple')).to.deep.equal(['a.md']);
  });

  it('builds one index for concurrent queries', async () => {
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple' });
    const { ask } = retriever(folder);
    expect(await opened(folder, () => Promise.all([ask('apple'), ask('apple'), ask('apple')]))).to.deep.equal(['a.md']);
  });

  it('reports an invalid folder and fails while it is missing', async () => {
    expect(() => retriever('/nowhere/at/all'))
      .to.throw('folder: "/nowhere/at/all" is not a directory; create it first.')
      .with.property('code', 'OPTIONS_INVALID');
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple' });
    const { ask, sources } = retriever(folder);
    await ask('apple');
    rmSync(folder, { recursive: true });
    const failed = await ask('apple').catch((thrown: Error) => thrown.message);
    expect(failed).to.contain('ENOENT');
    write(folder, { 'a.md': 'apple' });
    expect(await sources('apple')).to.deep.equal(['a.md']);
  });

  it('logs files that it may not read', async function () {
    if (process.getuid?.() === 0) {
      console.log('      skipped: root may read everything');
      this.skip();
    }
    const folder = tempFolder('rag');
    write(folder, { 'a.md': 'apple', 'b.md': 'apple' });
    chmodSync(join(folder, 'b.md'), 0);
    const { sources, lines } = retriever(folder);
    expect(await sources('apple')).to.deep.equal(['a.md']);
    expect(lines().join()).to.contain('1 not readable (b.md)');
  });

  it('finds the same after any changes as a rebuilt index', async () => {
    const word = fc.constantFrom('apple', 'banana', 'cherry', 'date');
    const step = fc.record({
      path: fc.constantFrom('a.md', 'b.md', 'c/d.md', 'c/e.txt'),
      text: fc.option(
        fc.array(word, { maxLength: 4 }).map((each) => each.join(' ')),
        { nil: undefined },
      ),
      restart: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const [folder, state] = [tempFolder('rag'), tempFolder('state')];
        let grown = retriever(folder, {}, state);
        for (const { path, text, restart } of steps) {
          if (text === undefined) rmSync(join(folder, path), { force: true });
          else write(folder, { [path]: text });
          if (restart) grown = retriever(folder, {}, state);
          const question = 'apple banana cherry date';
          const [now, anew] = [await grown.ask(question), await retriever(folder).ask(question)];
          const plain = (passages: typeof now) =>
            passages.map(({ source, score }) => `${source} ${score.toFixed(1)}`).sort();
          expect(plain(now)).to.deep.equal(plain(anew));
        }
      }),
      { numRuns: 25 },
    );
  });
});
