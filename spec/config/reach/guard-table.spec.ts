import { expect } from 'chai';
import { guardTable } from '../../../lib/config/reach/guard-table.ts';
import { type CodingHost, hostLimits } from '../../../lib/config/reach/host-limits.ts';
import { hostNames, hostParts } from '../../../lib/config/reach/host-parts.ts';
import { hosts } from '../../cli/host-hook/dialects/hosts.ts';
import { read } from '../read.ts';

/** The rows of hooks in a host, as `holds hook: rule`. */
function rows(host: CodingHost, entries: object): string[] {
  const { config, issues } = read({ hooks: entries });
  expect(issues).to.deep.equal([]);
  return guardTable(config.hooks, host).map(
    ({ hook, rule, holds, refuses }) =>
      `${holds}${refuses ? '!' : ''} ${rule === undefined ? hook : `${hook}: ${rule}`}`,
  );
}

const policy = (options: object) => ({ p: { type: 'permission', options: { default: 'allow', ...options } } });

describe('what holds in a coding agent', () => {
  it('has limits for each host that is not an agent of Hookline', () => {
    const own = ['run', 'serve', 'mcp'];
    expect(Object.keys(hostLimits)).to.have.members(hostNames.filter((name) => !own.includes(name)));
  });

  for (const { dialect, cannot, ...host } of hosts) {
    it(`is what the dialect of ${dialect.title} can express`, () => {
      const { approval, change, results, title } = hostLimits[dialect.host];
      expect(title).to.equal(dialect.title);
      expect(approval === 'denies').to.equal(cannot.includes('ask'));
      // Cursor rewrites all calls but those of its shell and of MCP.
      if (dialect.host !== 'cursor') expect(change === 'denies').to.equal(cannot.includes('rewrite'));
      expect(results === 'all').to.equal(!cannot.includes('replace'));
      const parts = hostParts[dialect.host];
      expect(parts.includes('prompts')).to.equal(host.prompt('Go!') !== undefined);
      expect(parts.includes('results')).to.equal(host.result({ does: 'shell', command: 'ls' }, '') !== undefined);
      const seen = hostLimits[dialect.host].families;
      expect(seen.includes('read')).to.equal(host.call({ does: 'read', path: 'a' }) !== undefined);
      expect(seen.includes('web')).to.equal(host.call({ does: 'fetch', url: 'http://a.b' }) !== undefined);
    });
  }

  it('lists the rules of a policy', () => {
    const rules = { deny: ['Bash(rm:*)', 'Read(.env)', 'WebSearch', 'mcp__github__*'], ask: ['Edit(src/**)'] };
    expect(rows('codex', policy(rules))).to.deep.equal([
      'holds! p',
      'holds! p: deny Bash(rm:*)',
      'in part! p: deny Read(.env)',
      'never! p: deny WebSearch',
      'holds! p: deny mcp__github__*',
      'in part! p: ask Edit(src/**)',
    ]);
    expect(rows('claude', policy(rules)).filter((row) => !row.startsWith('holds'))).to.deep.equal([]);
    expect(rows('windsurf', policy({ allow: ['WebFetch(domain:a.b)'] }))).to.deep.equal([
      'holds! p',
      'never p: allow WebFetch(domain:a.b)',
    ]);
  });

  it('says that what needs approval is denied where nobody is asked', () => {
    expect(rows('codex', { p: { type: 'permission' } })).to.deep.equal(['in part! p']);
    expect(rows('gemini', { p: { type: 'permission' } })).to.deep.equal(['holds! p']);
  });

  it('counts a surface without effect only if the configuration names it', () => {
    expect(rows('kiro', { scan: { type: 'security-scan' } })).to.deep.equal([
      'never scan: policies.text',
      'never scan: policies.toolResult',
    ]);
    const named = { scan: { type: 'security-scan', options: { policies: { toolResult: 'redact' } } } };
    expect(rows('kiro', named)).to.include('never! scan: policies.toolResult');
    expect(rows('cursor', named)).to.include('in part! scan: policies.toolResult');
    expect(rows('codex', named)).to.not.include('never! scan: policies.toolResult');
    const reported = { scan: { type: 'security-scan', options: { policies: { prompt: 'report', text: 'off' } } } };
    expect(rows('codex', reported)).to.deep.equal(['holds! scan']);
    const redacted = { scan: { type: 'security-scan', options: { policies: { prompt: 'redact' } } } };
    expect(rows('codex', redacted)).to.include('in part! scan: policies.prompt');
  });

  it('lists a hook of a kind that needs other parts, and skips disabled ones', () => {
    const hint = { type: 'prompt-hint', options: { hints: [{ text: 'hi' }] } };
    expect(rows('codex', { hint })).to.deep.equal(['never hint']);
    expect(rows('gemini', { hint })).to.deep.equal(['holds hint']);
    expect(rows('codex', { hint: { ...hint, enabled: false } })).to.deep.equal([]);
    expect(rows('codex', { own: { type: 'module', path: './a.mjs' } })).to.deep.equal(['in part own']);
  });
});
