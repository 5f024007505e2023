import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, hookline, root } from '../hookline.ts';

const secret = `${'AKIAZ7QK2'}MRWX5LTN3PB`;

describe('--preset', () => {
  it('each preset is a configuration in the package, without issues and notices, and check prints it', async () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(files).to.include('lib/cli/presets');
    for (const name of ['safe', 'observe']) {
      const { code, stdout, stderr } = await hookline(['check', '--preset', name, '--print']);
      expect({ code, stderr }, name).to.deep.equal({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).hooks, name).to.include.keys('security-scan');
    }
  });

  it('safe denies the files of secrets, and asks before a command: without anybody to ask it is denied', async () => {
    const workspace = folder({ '.env': `TOKEN=${secret}`, 'a.txt': secret });
    const run = (prompt: string) =>
      hookline(['run', prompt, '--preset', 'safe', '--workspace', workspace, '--approve', 'no']);
    const [denied, asked, read, listed] = await Promise.all(
      ['read .env', 'run echo hi', 'read a.txt', 'list the files in .'].map(run),
    );
    expect(denied?.stdout).to.include('denied by permission: the rule Read(.env) denies it');
    expect(asked?.stdout).to.include('denied by permission');
    expect(listed?.stdout).to.include('✓ executed');
    expect(read?.stdout).to.include('[REDACTED').and.not.include(secret);
  });

  it('observe has no say about a call, and explain names each of its hooks in one place only', async () => {
    const { stdout } = await hookline([
      'explain',
      '--preset',
      'observe',
      '--tool',
      'read_file',
      '--input',
      '{"path":"a"}',
    ]);
    expect(stdout).to.match(/^proceed/);
    for (const name of ['monitor', 'timing'])
      expect(stdout.match(new RegExp(`^ {2}${name} .*$`, 'gm'))).to.deep.equal([`  ${name.padEnd(22)}  observe`]);
  });

  it('none takes away what is always on otherwise, and says so', async () => {
    const args = ['run', 'run rm -f none', '--approve', 'no'];
    const [none, usual] = await Promise.all([hookline([...args, '--preset', 'none']), hookline(args)]);
    expect(usual.stdout).to.include('denied by dangerous-confirmation');
    expect(none.stdout).to.include('✓ executed');
    expect(none.stderr).to.equal('preset none: audit-log and dangerous-confirmation are off\n');
  });

  it('comes before the configurations, so that none of them makes it refuse less', async () => {
    const at = folder({ 'c.yaml': 'hooks: { permission: { enabled: false } }\n' });
    const { code, stdout, stderr } = await hookline(['check', 'c.yaml', '--preset', 'safe', '--print'], { cwd: at });
    expect(code).to.equal(0);
    expect(stderr).to.match(/^notice: c\.yaml:1:24 hooks\.permission\.enabled: has no effect/);
    expect(JSON.parse(stdout).hooks.permission).not.to.include.keys('enabled');
  });

  it('a name that there is not, and a check of nothing, are one clear error', async () => {
    const [wrong, nothing] = await Promise.all([hookline(['list', '--preset', 'saef']), hookline(['check'])]);
    expect([wrong.code, nothing.code]).to.deep.equal([2, 2]);
    expect(wrong.stderr).to.include('Did you mean safe?');
    expect(nothing.stderr).to.equal('error: Nothing to check: give files, or --preset.\n');
  });
});
