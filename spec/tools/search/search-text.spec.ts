import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { searchTextTool } from '../../../lib/tools/search/search-text.ts';
import { callTool } from '../call-tool.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('search_text', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = makeSandbox();
    sandbox.put({
      'a.ts': 'one\nf(x) + 1\r\nTwo',
      'src/b.md': 'two f(x)',
      'node_modules/c.js': 'f(x)',
      '.git/d': 'f(x)',
    });
  });
  afterEach(() => sandbox.remove());

  const search = (input: object, options: object = {}) => callTool(searchTextTool({ ...sandbox, ...options }), input);
  const found = async (input: object, options?: object) => (await search(input, options)).content.split('\n');

  it('finds plain text, not a regular expression, outside node_modules and .git', async () => {
    expect(await found({ pattern: 'f(x)' })).to.deep.equal(['a.ts:2: f(x) + 1', 'src/b.md:1: two f(x)']);
    expect(await found({ pattern: '.' })).to.deep.equal(['[No matches.]']);
  });

  it('matches every character of plain text literally', async () => {
    const odd = '\\^$.*+?()[]{}|/-"\'';
    sandbox.put({ 'odd.txt': `x${odd}x` });
    expect(await found({ pattern: odd })).to.deep.equal([`odd.txt:1: x${odd}x`]);
  });

  it('finds by regular expression, line by line', async () => {
    expect(await found({ pattern: '^t\\w+', regex: true })).to.deep.equal(['src/b.md:1: two f(x)']);
    expect(await found({ pattern: '^t.o$', regex: true, ignoreCase: true })).to.deep.equal(['a.ts:3: Two']);
  });

  it('searches one file, one folder, or matches of a glob', async () => {
    expect(await found({ pattern: 'f(x)', path: 'src' })).to.deep.equal(['src/b.md:1: two f(x)']);
    expect(await found({ pattern: 'f(x)', path: 'a.ts' })).to.deep.equal(['a.ts:2: f(x) + 1']);
    expect(await found({ pattern: 'f(x)', glob: '*.md' })).to.deep.equal(['src/b.md:1: two f(x)']);
  });

  it('reports an invalid regular expression', async () => {
    const result = await search({ pattern: '(', regex: true });
    expect(result.isError).to.equal(true);
    expect(result.content).to.match(/Invalid regular expression.*Correct the pattern/);
  });

  it('stops at the limit with a notice, only if there are more matches', async () => {
    sandbox.put({ 'many.txt': 'hit\n'.repeat(10) });
    const lines = await found({ pattern: 'hit' }, { maxResults: 9 });
    expect(lines).to.have.length(10);
    expect(lines.at(-1)).to.match(/^\[Only the first 9 lines are shown/);
    expect(await found({ pattern: 'hit' }, { maxResults: 10 })).to.have.length(10);
  });

  it('skips binary and huge files and reports their number', async () => {
    sandbox.put({ 'bin.dat': Buffer.from('hit\0'), 'huge.txt': 'hit'.repeat(1000), 'small.txt': 'hit' });
    const lines = await found({ pattern: 'hit' }, { maxFileBytes: 100 });
    expect(lines).to.deep.equal(['small.txt:1: hit', '[Skipped 2 that are binary, too large or unreadable.]']);
  });

  it('shortens a long line around the match', async () => {
    sandbox.put({ 'min.js': `${'x'.repeat(5000)}hit${'y'.repeat(5000)}` });
    const [line] = await found({ pattern: 'hit' });
    expect(line).to.match(/^min\.js:1: …x{100}hity{197}…$/);
  });

  it('stops an endless regular expression, reports the file, and keeps earlier matches', async () => {
    sandbox.put({ 'src/b.md': `${'a'.repeat(50)}!`, 'a.ts': 'aa' });
    const result = await search({ pattern: '(a+)+$', regex: true }, { searchMs: 3_000 });
    expect(result.isError).to.equal(true);
    expect(result.content).to.match(/^a\.ts:1: aa\n\[The search timed out in "src\/b\.md"\. Use a simpler pattern/);
  });

  it('does not block the event loop, and ends at once on cancellation', async () => {
    sandbox.put({ 'a.ts': `${'a'.repeat(50)}!` });
    const controller = new AbortController();
    const searching = callTool(searchTextTool(sandbox), { pattern: '(a+)+$', regex: true }, controller.signal);
    setTimeout(() => controller.abort(new Error('cancelled')), 200);
    expect((await rejection(searching)).message).to.equal('cancelled');
  });

  it('follows no link, and rejects a path that leads outside', async () => {
    sandbox.put({ 'outside/secret.txt': 'f(x) secret' });
    symlinkSync(sandbox.outside, join(sandbox.root, 'door'));
    symlinkSync(join(sandbox.outside, 'secret.txt'), join(sandbox.root, 'window'));
    expect(await found({ pattern: 'secret' })).to.deep.equal(['[No matches.]']);
    expect(await rejection(search({ pattern: 'secret', path: 'door' }))).to.include({ code: 'PATH_OUTSIDE' });
    expect((await search({ pattern: 'x', path: 'no' })).content).to.contain('"no" does not exist');
  });

  it('leaves no descriptor open', async () => {
    await search({ pattern: 'two' });
    const open = () => readdirSync('/dev/fd').length;
    const before = open();
    await search({ pattern: 'two' });
    await search({ pattern: 'o' }, { maxResults: 1 });
    expect(open()).to.equal(before);
  });
});
