import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type AuditFolder, auditFolder, upTo } from '../../hooks/audit-log/audit-folder.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const verify = (audit: AuditFolder, ...args: readonly string[]) =>
  hookline(['audit', 'verify', ...args], { cwd: audit.folder, env: { AUDIT_KEY: 'k' } });

describe('hookline audit verify', () => {
  let audit: AuditFolder;
  beforeEach(() => {
    audit = auditFolder();
  });
  afterEach(() => audit.remove());

  it('exits with 0 for an intact audit log and its rotated files, with the last hash', async () => {
    audit.write(upTo(10), { chain: true, rotate: { maxBytes: 2_000 } });
    const [text, json] = await Promise.all([verify(audit, 'audit.jsonl'), verify(audit, 'audit.jsonl', '--json')]);
    const { last, ...verdict } = JSON.parse(json.stdout);
    const count = audit.files().length;
    expect(count).to.be.greaterThan(2);
    expect(text.stdout).to.match(
      new RegExp(`^intact: 10 lines in ${count} files, the last is audit.jsonl:\\d\nlast hash: ${last.hash}\n$`),
    );
    expect([text.code, text.stderr, json.code]).to.deep.equal([0, '', 0]);
    expect(verdict).to.deep.include({ whole: true, lines: 10, breaches: [] });
    expect((await verify(audit, 'audit.jsonl', '--expect', last.hash.toUpperCase())).code).to.equal(0);
  });

  it('exits with 1 for a broken audit log and prints file, line and issue', async () => {
    audit.write(upTo(10), { chain: true, rotate: { maxBytes: 2_000 } });
    const [first = ''] = audit.files();
    const text = readFileSync(first, 'utf8');
    const [a, b, ...rest] = text.split('\n');
    writeFileSync(first, [a, b?.replace('"number":1', '"number":7'), ...rest].join('\n'));
    const [edited, json] = await Promise.all([verify(audit, 'audit.jsonl'), verify(audit, 'audit.jsonl', '--json')]);
    expect([edited.code, json.code, edited.stderr]).to.deep.equal([1, 1, '']);
    expect(edited.stdout).to.match(/^audit\.2026-11-21\.1\.jsonl:2: was edited: [^\n]*\nBROKEN: 10 lines/);
    expect(JSON.parse(json.stdout).breaches).to.have.length(1);
    expect(JSON.parse(json.stdout).breaches[0]).to.include({ file: 'audit.2026-11-21.1.jsonl', line: 2 });
    writeFileSync(first, text);
    const missing = await verify(audit, 'audit.jsonl', '--expect', 'f'.repeat(64));
    expect([missing.code, missing.stdout.split('\n')[0]]).to.deep.equal([
      1,
      `the line with the hash ${'f'.repeat(64)} is missing: the end was truncated`,
    ]);
  });

  it('verifies several files in order, a log without its current file, and a keyed log', async () => {
    audit.write(upTo(10), { chain: true, chainKey: 'k', rotate: { maxBytes: 2_000 } });
    symlinkSync(audit.file, join(audit.folder, 'link'));
    const names = audit.files().map((path) => path.slice(audit.folder.length + 1));
    const key = ['--key-env', 'AUDIT_KEY'];
    const [part, whole, linked, without, unset] = await Promise.all([
      verify(audit, ...names.slice(1), ...key),
      verify(audit, join(audit.folder, 'audit.jsonl'), ...key),
      verify(audit, 'link', ...key),
      verify(audit, 'audit.jsonl'),
      verify(audit, 'audit.jsonl', '--key-env', 'AUDIT_KEY_2'),
    ]);
    expect(part.code).to.equal(0);
    expect(part.stdout).to.match(/^the chain continues an older file that was not given\nintact: /);
    expect(whole).to.include({ code: 0 });
    expect(linked.stdout).to.equal(whole.stdout);
    renameSync(audit.file, join(audit.folder, 'moved'));
    const gone = await verify(audit, 'audit.jsonl', ...key);
    expect(gone.stdout).to.include(`in ${names.length - 1} `);
    expect(gone.code).to.equal(0);
    expect([without.code, without.stdout]).to.deep.equal([2, '']);
    expect(without.stderr).to.include('with a key, which is required');
    expect(unset).to.include({ code: 2, stdout: '' });
  });

  it('exits with 2 for bad usage and for a log without a hash chain', async () => {
    audit.write([0], {});
    const outcomes = await Promise.all([
      verify(audit, 'audit.jsonl'),
      verify(audit, 'missing.jsonl'),
      verify(audit, '.'),
      verify(audit),
      verify(audit, 'audit.jsonl', '--expect', 'abc'),
      verify(audit, '--jsno'),
      hookline(['audit']),
      hookline(['audit', 'verfy', 'x']),
    ]);
    expect(outcomes.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2, 2, 2, 2, 2]);
    expect(outcomes.map(({ stdout }) => stdout).join('')).to.equal('');
    expect(outcomes[0]?.stderr).to.match(/^error: "audit.jsonl" contains no chained line[^\n]*\n$/);
    expect(outcomes[1]?.stderr).to.match(/^error: Cannot read the audit file "missing.jsonl": ENOENT[^\n]*\n$/);
    expect(outcomes[5]?.stderr).to.equal("error: unknown option '--jsno' (Did you mean --json?)\n");
  });
});
