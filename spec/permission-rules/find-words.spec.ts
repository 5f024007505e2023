import { expect } from 'chai';
import { wordFinder } from '../../lib/permission-rules/find-words.ts';

const find = wordFinder([
  ...['delete', 'remove', 'drop', 'truncate', 'rm ', 'rmdir', 'shutdown', 'reboot', 'format', 'fdisk'],
]);
const inCommand = (command: string) => find('bash', { command })?.pattern;

describe('findWords', () => {
  const dangerous: [command: string, pattern: string][] = [
    ['rm -rf /', 'rm '],
    ['rm\t-rf', 'rm '],
    ['rm\n-rf', 'rm '],
    ['RM -RF', 'rm '],
    ['/bin/rm x', 'rm '],
    ['sudo rm', 'rm '],
    ['$(rm x)', 'rm '],
    ['`rm x`', 'rm '],
    ['x;rm y', 'rm '],
    ['x&&rm y', 'rm '],
    ['rm$IFS-rf', 'rm '],
    ['{rm,-rf,/}', 'rm '],
    ['git rm', 'rm '],
    ['\\rm x', 'rm '],
    ['r\\m x', 'rm '],
    ["r''m x", 'rm '],
    ['"r"m x', 'rm '],
    ['r\\\nm x', 'rm '],
    ['os.system("cd /\\nrm -rf .")', 'rm '],
    ['db.deleteUser(1)', 'delete'],
    ['DELETE FROM users', 'delete'],
    ['DROP TABLE users', 'drop'],
    ['DROPTable', 'drop'],
    ['TRUNCATE t', 'truncate'],
    ['rmdir x', 'rmdir'],
    ['shutdown -h now', 'shutdown'],
    ['reboot', 'reboot'],
    ['format c:', 'format'],
    ['fdisk /dev/sda', 'fdisk'],
  ];
  for (const [command, pattern] of dangerous) {
    it(`finds "${pattern}" in ${JSON.stringify(command)}`, () => {
      expect(inCommand(command)).to.equal(pattern);
    });
  }

  const harmless = [
    'ls',
    'information',
    'formatted',
    'platform',
    'reformatting',
    'dropdown',
    'confirm it',
    'farm animals',
    'alarm',
    'the storm came',
    'rmarkdown',
    'rm2',
    'aGVsbG8rMxRmB3Jm',
    'undeleted',
    'removed',
  ];
  for (const command of harmless) {
    it(`finds nothing in ${JSON.stringify(command)}`, () => {
      expect(inCommand(command)).to.equal(undefined);
    });
  }

  for (const name of ['delete_file', 'deleteUser', 'fileDelete', 'rm', 'rm_file', 'rmFile', 'DROP-TABLE']) {
    it(`finds the tool name ${name}`, () => {
      expect(find(name, {})).to.include({
        at: 'the tool name',
        excerpt: name.includes('rmF') ? 'rm File' : name.replace(/(\w)([A-Z][a-z])/, '$1 $2'),
      });
    });
  }

  it('finds nothing in the tool names information_desk, formatted, confirm', () => {
    expect(['information_desk', 'formatted', 'confirm'].map((name) => find(name, {}))).to.deep.equal(
      Array(3).fill(undefined),
    );
  });

  it('searches keys and nested values and reports the place', () => {
    expect(find('api', { body: [{ ok: 1 }, { 'drop it': true }] })?.at).to.equal('the key input.body[1]["drop it"]');
    expect(find('api', { steps: [{ run: ['ls', 'rm'] }] })?.at).to.equal('input.steps[0].run');
  });

  it('quotes the text around a match', () => {
    const match = find('bash', { command: `${'a '.repeat(1_000)}rm -rf /${' b'.repeat(1_000)}` });
    expect(match?.excerpt).to.match(/^….{40}rm -rf \/.{30,40}…$/);
  });

  it('reads an argument vector as one text', () => {
    const findPush = wordFinder(['git push']);
    expect(findPush('run', { argv: ['git', 'push', '--force'] })?.at).to.equal('input.argv');
    expect(findPush('run', { argv: ['git', 'pull', 'push'] })).to.equal(undefined);
    expect(findPush('run', { command: 'git  \t push' })).to.not.equal(undefined);
  });

  it('matches strings literally, including special characters', () => {
    expect(wordFinder(['> /dev/'])('bash', { command: 'dd > /dev/sda' })).to.not.equal(undefined);
    expect(wordFinder(['a.c'])('bash', { command: 'abc' })).to.equal(undefined);
    expect(wordFinder(['chmod 777'])('bash', { command: 'chmod 7777' })).to.equal(undefined);
  });

  it('matches every time with a global or sticky regular expression', () => {
    const findGlobal = wordFinder([/mkfs/g, /curl/y]);
    for (let index = 0; index < 3; index += 1) {
      expect(findGlobal('bash', { command: 'mkfs.ext4' })?.pattern).to.equal('/mkfs/g');
      expect(findGlobal('bash', { command: 'use curl' })?.pattern).to.equal('/curl/y');
    }
  });

  it('reads labels of sealed values, and similar objects, as plain text', () => {
    const find = wordFinder(['rm ', 'git push']);
    const sealed = (label: string, nonce = 'n1') => ({ $sealed: label, nonce });
    expect(find('bash', { command: sealed('rm -rf tok_7f') })?.excerpt).to.equal('rm -rf tok_7f');
    expect(find('bash', { args: ['git', sealed('push tok_7f')] })?.at).to.equal('input.args');
    expect(find('bash', { args: ['git', sealed('pull')] })).to.equal(undefined);
    expect(find('bash', { command: sealed('ls', 'rm -rf /') })?.pattern).to.equal('rm ');
  });
});
