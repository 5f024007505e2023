import { expect } from 'chai';
import { folder } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const POLICY = `hooks:
  policy: { type: permission, options: { deny: ["Bash(rm:*)", WebSearch], default: allow } }
`;
const at = folder({
  'hookline.yaml': POLICY,
  'accepts.yaml': `${POLICY}accept: [{ codex: policy }]\n`,
  'typo.yaml': `${POLICY}accept: [{ codex: policey }]\n`,
  'stranger.yaml': `${POLICY}accept: [{ codx: policy }]\n`,
});
const check = (...words: readonly string[]) => hookline(['check', ...words], { cwd: at });

describe('hookline check --for a coding agent', () => {
  it('lists what holds, and exits with 1 if a rule that denies never does', async () => {
    const { code, stdout } = await check('hookline.yaml', '--for', 'codex');
    expect(code).to.equal(1);
    expect(stdout).to.match(/^Codex \(--as codex\)$/m);
    expect(stdout).to.match(/^ {2}holds {4}policy: deny Bash\(rm:\*\)$/m);
    expect(stdout).to.match(/^ {2}never {4}policy: deny WebSearch +hooks see no call of this kind in Codex \(web\)$/m);
    expect(stdout).to.match(/No hook sees: all calls, until a person trusts the hook/);
    expect((await check('hookline.yaml', '--for', 'claude')).code).to.equal(0);
  });

  it('exits with 0 if the configuration accepts it by the name of the hook', async () => {
    const { code, stdout } = await check('accepts.yaml', '--for', 'codex');
    expect(code).to.equal(0);
    expect(stdout).to.match(/never .*WebSearch.*; accepted$/m);
    expect((await check('accepts.yaml', '--for', 'windsurf')).code).to.equal(1);
  });

  it('rejects an accepted hook or host that does not exist', async () => {
    const typo = await check('typo.yaml', '--for', 'codex');
    expect([typo.code, typo.stderr]).to.deep.equal([
      2,
      'error: accept: there is no hook "policey". Did you mean "policy"?\n',
    ]);
    expect((await check('stranger.yaml', '--for', 'codex')).stderr).to.contain('"codx" is not a host');
  });

  it('lists all coding agents, also as JSON', async () => {
    const { code, stdout } = await check('hookline.yaml', '--for', 'all', '--json');
    const { ok, hosts } = JSON.parse(stdout);
    expect([code, ok]).to.deep.equal([1, true]);
    expect(hosts.map(({ host }: { host: string }) => host)).to.include.members(['claude', 'codex', 'picoclaw']);
    const codex = hosts.find(({ host }: { host: string }) => host === 'codex');
    expect(codex.guards).to.deep.include({
      hook: 'policy',
      rule: 'deny WebSearch',
      holds: 'never',
      why: 'hooks see no call of this kind in Codex (web)',
      refuses: true,
    });
  });
});
