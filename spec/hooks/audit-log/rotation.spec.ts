import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { fakeContext } from '../fake-context.ts';
import { type AuditFolder, auditFolder, DAY, NOON, numbered, upTo } from './audit-folder.ts';
import { writeAtOnce } from './write-at-once.ts';

describe('the rotation of an audit log', () => {
  let audit: AuditFolder;
  beforeEach(() => {
    audit = auditFolder();
  });
  afterEach(() => audit.remove());

  const sizes = () => audit.files().map((path) => statSync(path).size);

  it('starts a new file before a line that would exceed maxBytes', () => {
    audit.write(upTo(20), { rotate: { maxBytes: 2_000 } });
    expect(audit.names()).to.include.members(['audit.2026-11-21.1.jsonl', 'audit.2026-11-21.2.jsonl', 'audit.jsonl']);
    expect(audit.numbers()).to.deep.equal(upTo(20));
    expect(Math.max(...sizes())).to.be.at.most(2_000);
    expect(Math.min(...sizes().slice(0, -1))).to.be.greaterThan(1_500);
  });

  it('writes a line larger than maxBytes whole to its own file', () => {
    audit.write(upTo(3), { rotate: { maxBytes: 10 } });
    expect(audit.files()).to.have.length(3);
    expect(audit.numbers()).to.deep.equal(upTo(3));
  });

  it('starts a new file with the first record of a day, named after the previous day', () => {
    const rotate = { daily: true };
    audit.write([0], { rotate }, NOON);
    audit.write([1], { rotate }, NOON + DAY / 2 - 1);
    audit.write([2], { rotate }, NOON + DAY / 2);
    audit.write([3], { rotate }, NOON + 3 * DAY);
    expect(audit.names()).to.deep.equal(['audit.2026-11-21.1.jsonl', 'audit.2026-11-22.1.jsonl', 'audit.jsonl']);
    expect(audit.numbers()).to.deep.equal([0, 1, 2, 3]);
  });

  it('keeps the file for a record of an earlier day', () => {
    for (const [number, time] of [NOON, NOON - DAY, NOON].entries()) {
      audit.write([number], { rotate: { daily: true } }, time);
    }
    expect(audit.names()).to.deep.equal(['audit.jsonl']);
  });

  it('keeps file names in order when the clock goes backwards', () => {
    audit.write([0, 1], { rotate: { maxBytes: 10 } }, NOON);
    audit.write([2, 3], { rotate: { maxBytes: 10 } }, NOON - DAY);
    expect(audit.numbers()).to.deep.equal([0, 1, 2, 3]);
  });

  it('continues from the last number, beyond nine, also if older files are gone', () => {
    audit.write(upTo(13), { rotate: { maxBytes: 10, keep: 2 } });
    expect(audit.names()).to.deep.equal(['audit.2026-11-21.11.jsonl', 'audit.2026-11-21.12.jsonl', 'audit.jsonl']);
    expect(audit.numbers()).to.deep.equal([10, 11, 12]);
  });

  it("uses the file system's date for a file without dates", () => {
    writeFileSync(audit.file, 'something else\n');
    utimesSync(audit.file, NOON / 1_000, NOON / 1_000);
    audit.write([0], { rotate: { daily: true } }, NOON + DAY);
    expect(audit.names()).to.deep.equal(['audit.2026-11-21.1.jsonl', 'audit.jsonl']);
  });

  it('leaves other files alone and picks a free number', () => {
    for (const name of ['audit.2026-11-21.x.jsonl', 'audit.2026-11-21.1.jsonl', 'other.2026-11-20.1.jsonl'])
      writeFileSync(join(audit.folder, name), '{"args":{"number":-1}}\n');
    audit.write([0, 1], { rotate: { maxBytes: 10, keep: 1 } });
    expect(audit.names()).to.deep.equal([
      'audit.2026-11-21.2.jsonl',
      'audit.2026-11-21.x.jsonl',
      'audit.jsonl',
      'other.2026-11-20.1.jsonl',
    ]);
  });

  it('renames the file, not a link to it', function () {
    if (process.platform === 'win32') {
      console.log('      passed over: Windows needs rights for links');
      this.skip();
    }
    mkdirSync(join(audit.folder, 'far'));
    symlinkSync(join(audit.folder, 'far', 'real.jsonl'), audit.file);
    audit.write([0, 1], { rotate: { maxBytes: 10 } });
    expect(existsSync(join(audit.folder, 'far', 'real.2026-11-21.1.jsonl'))).to.equal(true);
    expect(readFileSync(audit.file, 'utf8')).to.include('"number":1');
  });

  it('keeps every line of several processes once and rotates each file once', async () => {
    await writeAtOnce(audit.file, 3, 300, { rotate: { maxBytes: 20_000 } });
    expect(audit.numbers().sort((a, b) => a - b)).to.deep.equal(upTo(900));
    const own = (first: number) => audit.numbers().filter((number) => number >= first && number < first + 300);
    for (const first of [0, 300, 600]) expect(own(first)).to.deep.equal(own(first).sort((a, b) => a - b));
    expect(audit.files().length).to.be.within(5, 40);
    // A file that two processes rotated would be nearly empty.
    expect(Math.min(...sizes().slice(0, -1))).to.be.greaterThan(15_000);
  });

  it('keeps the old file if it cannot rotate, and logs it once', () => {
    // A file that cannot be removed like the stale lock that it replaces.
    writeFileSync(`${audit.file}.lock`, '');
    utimesSync(`${audit.file}.lock`, 0, 0);
    const hook = auditLog({ file: audit.file, rotate: { maxBytes: 10 } });
    const context = fakeContext();
    for (const number of upTo(3)) hook.observe!(numbered(number), context);
    expect(audit.numbers()).to.deep.equal(upTo(3));
    expect(context.logged.map(({ msg }) => msg)).to.deep.equal(['the audit file cannot be rotated and keeps growing']);
  });

  it('keeps the old file while another process rotates it, unless that crashed', () => {
    mkdirSync(`${audit.file}.lock`);
    audit.write(upTo(3), { rotate: { maxBytes: 10 } });
    expect(audit.files()).to.have.length(1);
    // The process has crashed.
    utimesSync(`${audit.file}.lock`, 0, 0);
    audit.write([3], { rotate: { maxBytes: 10 } });
    expect(audit.names()).to.deep.equal(['audit.2026-11-21.1.jsonl', 'audit.jsonl']);
    expect(audit.files()).to.have.length(2);
    expect(audit.numbers()).to.deep.equal(upTo(4));
  });

  it('rejects contradictory options and a path that is not a regular file', () => {
    const { file } = audit;
    expect(() => auditLog({ rotate: { daily: true } })).to.throw('file: is required for rotate and chain');
    expect(() => auditLog({ file, rotate: {} })).to.throw('rotate: must contain maxBytes, or daily: true');
    expect(() => auditLog({ file, chainKey: 'k' })).to.throw('chainKey: requires chain: true');
    expect(() => auditLog({ file: '/dev/null', chain: true })).to.throw('not a regular file');
  });
});
