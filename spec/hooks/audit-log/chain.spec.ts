import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openAuditFile } from '../../../lib/hooks/audit-log/audit-file.ts';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { WINDOW } from '../../../lib/hooks/audit-log/chain-window.ts';
import { verifyAudit } from '../../../lib/hooks/audit-log/verify-audit.ts';
import { fakeContext } from '../fake-context.ts';
import { type AuditFolder, auditFolder, numbered, upTo } from './audit-folder.ts';
import { writeAtOnce } from './write-at-once.ts';

const KEY = 'a key of this spec';
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was not refused'),
    ({ code, message }) => `${code}: ${message}`,
  );

describe('the hash chain of an audit log', () => {
  let audit: AuditFolder;
  beforeEach(() => {
    audit = auditFolder();
  });
  afterEach(() => audit.remove());

  const lines = (path = audit.file) => readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const rewrite = (changed: readonly string[], path = audit.file) =>
    writeFileSync(path, changed.map((line) => `${line}\n`).join(''));
  const issues = async (...args: Parameters<typeof verifyAudit>) =>
    (await verifyAudit(...args)).breaches.map(
      ({ file, line, issue }) => `${file.slice(audit.folder.length + 1)}:${line}: ${issue}`,
    );

  it('links each line to the one before and leaves the record unchanged', async () => {
    audit.write(upTo(3), { chain: true });
    const [first = '', second = ''] = lines();
    expect(JSON.parse(first).chain).to.deep.include({ v: 1, at: 0, prev: '0'.repeat(64) });
    expect(JSON.parse(second).chain).to.include({ at: first.length + 1 });
    expect(audit.numbers()).to.deep.equal([0, 1, 2]);
    const { last, ...verdict } = await verifyAudit([audit.file]);
    expect(verdict).to.deep.equal({
      ...{ whole: true, lines: 3, unchained: 0, torn: [], breaches: [], breachCount: 0, goesOnFrom: undefined },
    });
    expect(last).to.deep.equal({ file: audit.file, line: 3, hash: JSON.parse(lines()[2]!).hash });
  });

  it('continues after a restart, also from the last part of a long file', async () => {
    audit.write(upTo(400), { chain: true });
    expect(statSync(audit.file).size).to.be.greaterThan(2 * 65_536);
    audit.write([400, 401], { chain: true });
    expect(await verifyAudit([audit.file])).to.include({ whole: true, lines: 402 });
    expect(new Set(lines().map((line) => JSON.parse(line).chain.by))).to.have.property('size', 2);
  });

  it('continues across rotated files and restarts', async () => {
    const options = { chain: true, rotate: { maxBytes: 3_000 } };
    for (const first of [0, 10, 20])
      audit.write(
        upTo(10).map((index) => first + index),
        options,
      );
    const files = audit.files();
    expect(files.length).to.be.greaterThan(4);
    expect(await verifyAudit(files)).to.include({ whole: true, lines: 30, goesOnFrom: undefined });
    expect(await issues([...files.slice(0, 2), ...files.slice(3)]))
      .to.have.length(1)
      .and.match(/audit.*:1: does not continue/);
    const without = await verifyAudit(files.slice(2));
    expect(without.whole).to.equal(true);
    expect(without.goesOnFrom).to.match(/^[0-9a-f]{64}$/);
    expect((await verifyAudit([files[1]!, files[0]!, ...files.slice(2)])).whole).to.equal(false);
  });

  it('shows if a rotated file was truncated or the chain restarted after it', async () => {
    const options = { chain: true, rotate: { maxBytes: 3_000 } };
    audit.write(upTo(10), options);
    const files = audit.files();
    const [first = ''] = files;
    const kept = lines(first);
    rewrite(kept.slice(0, -1), first);
    expect(await issues(files))
      .to.have.length(1)
      .and.match(/:1: does not continue the previous file/);
    rewrite(kept, first);
    expect(await issues(files)).to.deep.equal([]);
    for (const path of files) renameSync(path, path.replace('audit.', 'hidden.'));
    audit.write([1], { chain: true });
    const old = first.replace('audit.', 'hidden.');
    expect(await issues([old, audit.file]))
      .to.match(/^audit.jsonl:1: does not continue/)
      .and.have.length(1);
  });

  it('covers lines from before the chain, also in a file rotated earlier', async () => {
    audit.write(upTo(3), {});
    audit.write([3, 4], { chain: true });
    expect(await verifyAudit([audit.file])).to.include({ whole: true, lines: 2, unchained: 3 });
    const before = lines();
    rewrite(before.map((line, index) => (index === 1 ? line.replace('"number":1', '"number":7') : line)));
    expect(await issues([audit.file])).to.match(/^audit.jsonl:4: does not follow/);
    audit.remove();
    audit = auditFolder();
    audit.write(upTo(3), {});
    audit.write([3], { chain: true, rotate: { maxBytes: 10 } });
    expect(await verifyAudit(audit.files())).to.include({ whole: true, lines: 1, unchained: 3 });
  });

  it('stays valid with several processes on one file, rotated or not', async () => {
    const rotate = { maxBytes: 60_000 };
    for (const more of SOAK ? [{}, { rotate }] : [{ rotate }]) {
      await writeAtOnce(audit.file, 3, 150, { chain: true, chainKey: KEY, ...more });
      expect(audit.numbers().sort((a, b) => a - b)).to.deep.equal(upTo(450));
      expect(await verifyAudit(audit.files(), { key: KEY })).to.include({ whole: true, lines: 450 });
      if ('rotate' in more) expect(audit.files().length).to.be.greaterThan(3);
      for (const file of audit.files()) rmSync(file);
    }
  });

  it('reports the place of each kind of tampering once', async () => {
    audit.write(upTo(6), { chain: true });
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = lines();
    const foreign = '{"level":30,"msg":"foreign"}';
    const kinds: [string, string[], string[]][] = [
      ['an edit', [a, b, c.replace('"number":2', '"number":9'), d, e, f], [':3: was edited']],
      ['an edit of the last', [a, b, c, d, e, f.replace('bash', 'cat')], [':6: was edited']],
      ['a removal', [a, b, d, e, f], [':3: does not follow']],
      ['a removal of the first', [b, c, d, e, f], [':1: does not follow']],
      ['a line put in', [a, b, foreign, c, d, e, f], [':3: was not written by the chain']],
      ['a line put in at the end', [a, b, c, d, e, f, foreign], [':7: was not written by the chain']],
      ['no JSON put in', [a, b, 'x', c, d, e, f], [':3: was not written by the chain']],
      ['no JSON before the last', [a, b, c, d, e, 'x', f], [':6: was not written by the chain']],
      ['a copy', [a, b, c, d, e, f, f], [':7: is there twice']],
      ['a copy of an old line', [a, b, c, d, e, f, b], [':7: is there twice']],
      ['an empty line', [a, b, '', c, d, e, f], [':5: does not follow']],
      ['the last two swapped', [a, b, c, d, f, e], [':5: does not follow', ':6: does not follow']],
    ];
    for (const [what, changed, expected] of kinds) {
      rewrite(changed);
      const found = await issues([audit.file]);
      expect(found, what).to.have.length(expected.length);
      for (const [index, issue] of expected.entries()) expect(found[index], what).to.include(`audit.jsonl${issue}`);
    }
    rewrite([a, b, c.replace('"number":2', '"number":9'), d, f]);
    expect(await issues([audit.file]), 'two at once').to.match(/:3: was edited.*:5: does not follow/);
  });

  it('shows a truncated end only to a reader with the last hash', async () => {
    audit.write(upTo(4), { chain: true });
    const { last } = await verifyAudit([audit.file]);
    audit.write([4], { chain: true });
    expect(await verifyAudit([audit.file], { expect: last.hash })).to.include({ whole: true });
    rewrite(lines().slice(0, 3));
    expect(await verifyAudit([audit.file])).to.include({ whole: true, lines: 3 });
    expect(await verifyAudit([audit.file], { expect: last.hash })).to.include({ whole: false, breachCount: 0 });
    expect(await refusal(verifyAudit([audit.file], { expect: 'abc' }))).to.include(
      'INPUT_INVALID: The expected hash must be',
    );
  });

  it('cannot be recomputed without the key, nor passed off as unkeyed', async () => {
    audit.write(upTo(3), { chain: true, chainKey: KEY });
    expect(await verifyAudit([audit.file], { key: KEY })).to.include({ whole: true, lines: 3 });
    expect(readFileSync(audit.file, 'utf8')).to.not.include(KEY);
    expect(await refusal(verifyAudit([audit.file]))).to.include('line 1, was written with a key, which is required');
    expect(await refusal(verifyAudit([audit.file], { key: 'other' }))).to.include(
      'with another key than the one given',
    );
    rmSync(audit.file);
    audit.write(upTo(3), { chain: true });
    expect(await issues([audit.file], { key: KEY }))
      .to.match(/:1: was written without the key/)
      .and.have.length(3);
    rmSync(audit.file);
    audit.write([0], { chain: true, chainKey: KEY });
    audit.write([1], { chain: true, chainKey: 'other' });
    expect(await issues([audit.file], { key: KEY })).to.match(/^audit.jsonl:2: was edited/);
  });

  it('ends and covers a line cut by a crash without reporting a breach', async () => {
    audit.write(upTo(3), { chain: true });
    const { length } = readFileSync(audit.file);
    truncateSync(audit.file, length - 20);
    expect(await verifyAudit([audit.file])).to.deep.include({
      whole: true,
      lines: 2,
      torn: [{ file: audit.file, line: 3 }],
    });
    audit.write([3], { chain: true });
    expect(await verifyAudit([audit.file])).to.deep.include({
      whole: true,
      lines: 3,
      torn: [{ file: audit.file, line: 3 }],
    });
    rewrite(lines().filter((_, index) => index !== 2));
    expect(await issues([audit.file])).to.match(/:3: does not follow/);
  });

  it('continues in a running process when others append or remove the file', async () => {
    const hook = auditLog({ file: audit.file, chain: true });
    const context = fakeContext();
    hook.observe!(numbered(0), context);
    audit.write([1], { chain: true });
    hook.observe!(numbered(2), context);
    expect(await verifyAudit([audit.file])).to.include({ whole: true, lines: 3 });
    rmSync(audit.file);
    hook.observe!(numbered(3), context);
    expect(await verifyAudit([audit.file])).to.include({ whole: true, lines: 1 });
    expect(context.logged).to.deep.equal([]);
  });

  it('counts lost records in a line of the chain', async () => {
    const file = join(audit.folder, 'logs', 'audit.jsonl');
    const hook = auditLog({ file, chain: true });
    const context = fakeContext();
    rmSync(join(audit.folder, 'logs'), { recursive: true });
    writeFileSync(join(audit.folder, 'logs'), 'in the way');
    hook.observe!(numbered(0), context);
    rmSync(join(audit.folder, 'logs'));
    for (const number of [1, 2]) hook.observe!(numbered(number), context);
    expect(lines(file).map((line) => JSON.parse(line).msg)).to.deep.equal([
      'audit_gap',
      'tool_call_start',
      'tool_call_start',
    ]);
    expect(await verifyAudit([file])).to.include({ whole: true, lines: 3 });
  });

  it('rejects a log without a chain, a missing file and a newer format', async () => {
    audit.write([0], {});
    expect(await refusal(verifyAudit([audit.file]))).to.include('contains no chained line');
    expect(await refusal(verifyAudit([]))).to.include('(no file) contains no chained line');
    expect(await refusal(verifyAudit([join(audit.folder, 'none')]))).to.match(
      /^INPUT_INVALID: Cannot read the audit file .* ENOENT/,
    );
    audit.write([1], { chain: true });
    rewrite(lines().map((line) => line.replace('"v":1', '"v":2')));
    expect(await refusal(verifyAudit([audit.file]))).to.include('line 2, has a newer format');
  });

  it('verifies logs far longer than the memory of the verifier', async () => {
    const count = 3 * WINDOW;
    const { write } = openAuditFile(audit.file, { chain: { key: undefined } });
    for (const number of upTo(count)) write(`{"number":${number}}\n`);
    expect(await verifyAudit([audit.file])).to.include({ whole: true, lines: count });
    const all = lines();
    rewrite([...all, all[count - 2 * WINDOW]!]);
    const [issue, ...others] = await issues([audit.file]);
    expect(issue).to.match(new RegExp(`:${count + 1}: (is there twice|does not follow)`));
    expect(others).to.deep.equal([]);
  });

  it('reports lines from a writer without the chain as foreign', async () => {
    audit.write([0], { chain: true });
    audit.write([1], {});
    audit.write([2], { chain: true });
    expect(await issues([audit.file])).to.deep.equal(['audit.jsonl:2: was not written by the chain']);
    appendFileSync(audit.file, '\n');
    expect((await verifyAudit([audit.file])).breachCount).to.equal(1);
  });
});
