import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse as parseJson } from 'jsonc-parser';
import { parse } from 'yaml';
import { folder, root } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

describe('hookline init', () => {
  it('writes a valid configuration that allows the commands of the directory', async () => {
    const scripts = { test: 'x', lint: 'x', deploy: 'x' };
    const at = folder({
      'package.json': JSON.stringify({ scripts }),
      'pnpm-lock.yaml': '',
      '.claude/settings.json': '{}',
    });
    const wrote = await hookline(['init'], { cwd: at });
    expect(wrote).to.deep.equal({
      code: 0,
      stdout: 'Wrote hookline.yaml. Next: npx hookline check hookline.yaml\n',
      stderr: '',
    });
    const text = readFileSync(join(at, 'hookline.yaml'), 'utf8');
    expect(text)
      .to.include('- run_command(pnpm test)')
      .and.include('- run_command(pnpm run lint)')
      .and.not.include('deploy');
    expect(text).to.include('# files: [.claude/settings.json]');
    expect(await hookline(['check', 'hookline.yaml'], { cwd: at })).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect((await hookline(['test'], { cwd: at })).stdout).to.equal('3 cases: 3 passed, 0 failed\n');
    const call = ['--tool', 'run_command', '--config', 'hookline.yaml', '--input'];
    const [tested, deployed] = await Promise.all([
      hookline(['explain', ...call, '{"command":"pnpm test"}'], { cwd: at }),
      hookline(['explain', ...call, '{"command":"pnpm run deploy"}'], { cwd: at }),
    ]);
    expect(tested.stdout).to.match(/^proceed/);
    expect(deployed.stdout).to.match(/^ask by permission/);
  });

  it('denies what the preset safe denies', async () => {
    const at = folder();
    await hookline(['init'], { cwd: at });
    const denied = ({ hooks }: ReturnType<typeof parse>) => hooks.permission.options.deny;
    const safe = parseJson(readFileSync(join(root, 'lib/cli/presets/safe.jsonc'), 'utf8'));
    expect(denied(parse(readFileSync(join(at, 'hookline.yaml'), 'utf8')))).to.deep.equal(denied(safe));
  });

  it('keeps cases that exist', async () => {
    const at = folder({ 'hookline.cases.yaml': 'mine' });
    await hookline(['init'], { cwd: at });
    expect(readFileSync(join(at, 'hookline.cases.yaml'), 'utf8')).to.equal('mine');
  });

  it('does not overwrite files', async () => {
    const at = folder({ 'hookline.yaml': 'mine' });
    const { code, stderr } = await hookline(['init'], { cwd: at });
    expect(code).to.equal(2);
    expect(stderr).to.include('hookline.yaml already exists').and.include('--print');
    expect(readFileSync(join(at, 'hookline.yaml'), 'utf8')).to.equal('mine');
  });

  it('prints without writing, also for a directory with an unreadable package.json', async () => {
    const at = folder({ 'package.json': '{', 'Cargo.toml': '' });
    const { code, stdout } = await hookline(['init', at, '--print']);
    expect(code).to.equal(0);
    expect(stdout).to.include('- run_command(cargo test)');
    expect(existsSync(join(at, 'hookline.yaml'))).to.equal(false);
  });

  it('rejects a missing directory', async () => {
    const { code, stderr } = await hookline(['init', 'not-there']);
    expect({ code, stderr }).to.deep.equal({ code: 2, stderr: 'error: not-there is not a directory.\n' });
  });
});
