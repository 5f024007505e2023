import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, root } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const secret = `${'AKIAZ7QK2'}MRWX5LTN3PB`;

describe('--preset', () => {
  it('provides valid configurations without notices, which check prints', async () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(files).to.include('lib/cli/presets');
    for (const name of ['safe', 'observe']) {
      const { code, stdout, stderr } = await hookline(['check', '--preset', name, '--print']);
      expect({ code, stderr }, name).to.deep.equal({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).hooks, name).to.include.keys('security-scan');
    }
  });

  it('denies files with secrets and asks before commands with safe, and denies without an approver', async () => {
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

  it('does not decide about calls with observe, and explain lists each of its hooks once', async () => {
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

  it('disables the hooks that are always on with none, and reports it', async () => {
    const args = ['run', 'run rm -f none', '--approve', 'no'];
    const [none, usual] = await Promise.all([hookline([...args, '--preset', 'none']), hookline(args)]);
    expect(usual.stdout).to.include('denied by dangerous-confirmation');
    expect(none.stdout).to.include('✓ executed');
    expect(none.stderr).to.equal('preset none: audit-log and dangerous-confirmation are off\n');
  });

  it('precedes the configurations, so that none of them weakens it', async () => {
    const at = folder({ 'c.yaml': 'hooks: { permission: { enabled: false } }\n' });
    const { code, stdout, stderr } = await hookline(['check', 'c.yaml', '--preset', 'safe', '--print'], { cwd: at });
    expect(code).to.equal(0);
    expect(stderr).to.match(/^notice: c\.yaml:1:24 hooks\.permission\.enabled: has no effect/);
    expect(JSON.parse(stdout).hooks.permission).not.to.include.keys('enabled');
  });

  it('rejects an unknown preset and an empty check with one clear error', async () => {
    const [wrong, nothing] = await Promise.all([hookline(['list', '--preset', 'saef']), hookline(['check'])]);
    expect([wrong.code, nothing.code]).to.deep.equal([2, 2]);
    expect(wrong.stderr).to.include('Did you mean safe?');
    expect(nothing.stderr).to.equal('error: Nothing to check: give files, or --preset.\n');
  });
});
