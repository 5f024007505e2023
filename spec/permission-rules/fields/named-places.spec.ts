import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { callRuleMatcher } from '../../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../../lib/permission-rules/call-rule-schema.ts';
import type { RuleMatch } from '../../../lib/permission-rules/rule-match.ts';
import { tempFolder } from '../../temp-folder.ts';

const cwd = tempFolder('named-places');
mkdirSync(join(cwd, 'secrets'));
writeFileSync(join(cwd, '.env'), 'KEY=1');
writeFileSync(join(cwd, 'secrets', 'pay.txt'), '1');

function match(rule: object, tool: string, input: object): RuleMatch {
  const call = { own: tool, tool, input: input as JsonObject, permission: 'external' as const };
  return callRuleMatcher(callRuleSchema.parse(rule), { cwd, home: '/home/me' })(call);
}
const denied = (got: RuleMatch) => got === 'all' || got === 'some';
const fileUrl = pathToFileURL(join(cwd, '.env')).href;

describe('a path rule for tools of any vendor', () => {
  for (const input of [
    { path: '.env' },
    { paths: ['.env'] },
    { paths: ['a', '.env'] },
    { file: '.env' },
    { filename: '.env' },
    { fileName: 'x/.env' },
    { file_path: '.env' },
    { filePath: '.env' },
    { absolute_path: join(cwd, '.env') },
    { files: [{ path: '.env', content: 'x' }] },
    { args: { path: '.env' } },
    { args: { nested: [{ deep: { source: '.env' } }] } },
    { source: ['.env'] },
    { destination: '.env' },
    { uri: '.env' },
    { uri: fileUrl },
    { uri: fileUrl.replace('.env', '%2eenv') },
    { url: fileUrl },
    { href: fileUrl },
    { anything: fileUrl },
    { anything: '.env' },
    { document: { id: './.env' } },
    { list: ['x', './secrets/../.env'] },
    { argv: ['--config=.env'] },
    { root: cwd, name: '.env' },
    { path: 'a', to: '.env' },
    { uri: 'file:.env' },
    { anything: fileUrl.replace('file://', 'file:') },
    { files: { '.env': 'KEY=2' } },
    { files: { './.env': { content: 'KEY=2' } } },
    { paths: 'a.txt,.env' },
    { files: 'a.txt\n.env' },
    { body: { path: '.env' } },
    { message: { attachments: [{ file: '.env' }] } },
    { content: [{ type: 'file', source: '.env' }] },
    { payload: '{"path":".env"}' },
    { payload: ' [ {"path": ".env"} ]' },
    { payload: JSON.stringify({ inner: JSON.stringify({ path: '.env' }) }) },
  ])
    it(`matches ${JSON.stringify(input).replace(cwd, '..')}`, () => {
      expect(denied(match({ path: '.env' }, 'mcp__fs__read', input))).to.equal(true);
    });

  for (const input of [
    {},
    { path: 'a.txt' },
    { path: 'notes.txt', content: '.env' },
    { path: 'notes.txt', text: '.env' },
    { path: 'notes.txt', edits: [{ old_string: '.env', new_string: 'x' }] },
    { message: '.env' },
    { messages: [{ role: 'user', content: '.env' }] },
    { body: 'path: .env' },
    { body: { note: '.env' } },
    { query: 'how do I read .env files' },
    { url: 'https://example.com/.env' },
    { limit: 3, recursive: true, path: null },
  ])
    it(`does not match ${JSON.stringify(input)}`, () => {
      expect(match({ path: '.env' }, 'mcp__fs__read', input)).to.equal('none');
    });

  it('is unclear about a path that is not a text', () => {
    for (const path of [7, true, [[7]], { $sealed: 'x', nonce: 'n' }])
      expect(match({ path: '.env' }, 'mcp__fs__read', { path }), String(path)).to.equal('unclear');
  });

  it('is unclear about a call without a path if the rule names its tool', () => {
    expect(match({ tool: 'mcp__fs__*', path: '.env' }, 'mcp__fs__read', { document: 7 })).to.equal('unclear');
    expect(match({ tool: 'mcp__fs__*', path: '.env' }, 'mcp__fs__read', {})).to.equal('unclear');
    expect(match({ tool: 'mcp__fs__*', path: '.env' }, 'mcp__fs__read', { path: 'a' })).to.equal('none');
    expect(match({ tool: 'run_command', path: '.env' }, 'run_command', { command: 'ls' })).to.equal('none');
  });

  it('checks only its named fields', () => {
    const rule = { path: '.env', in: ['args.target', 'list'] };
    expect(denied(match(rule, 'x', { args: { target: '.env' } }))).to.equal(true);
    expect(denied(match(rule, 'x', { list: ['a', '.env'] }))).to.equal(true);
    expect(match(rule, 'x', { path: '.env', args: { target: 'a' } })).to.equal('none');
    expect(match(rule, 'x', { path: '.env' })).to.equal('unclear');
  });

  it('rejects fields without a path or a host', () => {
    expect(() => callRuleSchema.parse({ tool: 'x', in: ['path'] })).to.throw(/without path or host/);
  });

  it('allows a call only if all its paths are allowed', () => {
    expect(match({ path: 'inside' }, 'x', { path: 'a', target_file: 'b' })).to.equal('all');
    expect(match({ path: 'inside' }, 'x', { path: 'a', target_file: '/etc/passwd' })).to.equal('some');
    expect(match({ path: 'inside' }, 'x', { path: 'a', note: '/etc/passwd' })).to.equal('some');
  });

  it('finds a path anywhere in the input', () => {
    const names = fc.constantFrom('a', 'args', 'request', 'options', 'params', 'items', 'path', 'file', 'source', '0');
    const holder = fc.array(fc.tuple(names, fc.boolean()), { maxLength: 6 });
    const leaf = fc.constantFrom('path', 'file', 'filename', 'file_path', 'sourceFile', 'uri', 'paths', 'any');
    fc.assert(
      fc.property(holder, leaf, (holders, name) => {
        const input = holders.reduceRight<object>(
          (inner, [key, isList]) => ({ [key]: isList ? ['x y', inner] : inner }),
          { [name]: '.env' },
        );
        expect(denied(match({ path: '.env' }, 'mcp__any', input)), JSON.stringify(input)).to.equal(true);
      }),
    );
  });
});

describe('a host rule for tools of any vendor', () => {
  const rule = { tool: 'fetch_*', host: ['*.internal', 'internal'] };
  for (const input of [
    { url: 'https://db.internal/x' },
    { uri: 'http://db.internal' },
    { urls: ['https://example.com', 'https://db.internal'] },
    { href: 'https://DB.internal./' },
    { request: { url: 'https://db.internal' } },
    { host: 'db.internal' },
    { hostname: 'db.internal' },
    { host: 'db.internal:5432' },
    { endpoint: 'wss://db.internal' },
    { target: 'postgres://me@db.internal/x' },
    { anything: ['https://db.internal/'] },
    { base_url: 'https://example.com', path: '//db.internal/x' },
    { url: 'db.internal:5432' },
    { url: 'db.internal:80/x' },
    { urls: 'https://example.com,https://db.internal' },
    { hosts: 'db.internal, example.com' },
    { db_host: 'db.internal' },
    { domainName: 'db.internal' },
    { url: 'https://example.com', body: { callback_url: 'https://db.internal' } },
    { args: '{"url":"https://db.internal"}' },
  ])
    it(`matches ${JSON.stringify(input)}`, () => {
      expect(match(rule, 'fetch_page', input)).to.not.equal('none');
    });

  for (const input of [
    { url: 'https://example.com/db.internal' },
    { url: 'https://example.com', body: 'https://db.internal' },
    { url: 'https://example.com/a,b;c?d=e,f' },
    { url: 'data:text/plain,db.internal' },
    { host: 'example.com', content: 'https://db.internal' },
    { url: 'git@example.com:db.internal/x.git' },
    { url: 'https://example.com', address: 'Main Street 5, Berlin', server: 'live' },
    { url: 'https://example.com', address: { street: 'Main Street 5', city: 'Berlin', zip: 10115 } },
    { url: 'https://example.com', address: 'me@db.internal' },
  ])
    it(`does not match ${JSON.stringify(input)}`, () => {
      expect(match(rule, 'fetch_page', input)).to.equal('none');
    });

  for (const input of [
    { anything: ' http://db.internal' },
    { anything: 'http:db.internal/x' },
    { anything: 'https:\\\\db.internal' },
    { ip_address: 'db.internal' },
    { server: 'db.internal' },
    { address: 'db.internal:5432' },
    { smtp_server: 'db.internal' },
    { servers: ['example.com', 'db.internal'] },
    { repository: 'git@db.internal:acme/site.git' },
    { url: 'git@db.internal:acme/site.git' },
    { destination: 'me@db.internal:/srv/x' },
  ])
    it(`matches ${JSON.stringify(input)} of a tool that it does not name`, () => {
      expect(denied(match({ host: '*.internal' }, 'other', input))).to.equal(true);
    });

  it('is unclear about a call without a host, and about an invalid address', () => {
    expect(match(rule, 'fetch_page', {})).to.equal('unclear');
    expect(match(rule, 'fetch_page', { url: 'db internal' })).to.equal('unclear');
    expect(match(rule, 'fetch_page', { url: 7 })).to.equal('unclear');
    expect(match({ host: '*.internal' }, 'other', { path: 'x' })).to.equal('none');
  });

  it('checks its named fields', () => {
    expect(match({ host: '*.internal', in: 'to.address' }, 'x', { to: { address: 'https://a.internal' } })).to.equal(
      'all',
    );
  });
});

describe('a command rule for tools of any vendor', () => {
  const rule = { tool: 'run_*', command: 'rm:*' };
  for (const input of [
    { command: 'rm x' },
    { cmd: 'rm x' },
    { shell_command: 'rm x' },
    { bashCommand: 'rm x' },
    { commandLine: 'ls && rm x' },
    { script: 'cd x\nrm y' },
    { commands: ['ls', 'rm x'] },
    { argv: ['rm', 'a b'] },
    { command: ['rm', '-rf', 'x'] },
    { command: 'rm', args: ['x'] },
    { command: 'sudo', arguments: ['rm', 'x'] },
    { command: 'ls && rm x', args: [] },
    { command: 'sudo rm', args: ['x'] },
    { command: 'sudo', args: 'rm x' },
    { command: 'sudo', options: ['rm'] },
    { command: 'sudo', args: [], params: ['rm', 'x'] },
    { command: 'ls', program: 'rm', args: ['x'] },
    { commands: ['sudo', 'rm', 'x'] },
    { exe: 'rm', argv: ['x'] },
    { steps: [{ run: 'rm x' }] },
    { options: { shell: { cmd: 'rm x' } } },
    { payload: '{"command":"rm x"}' },
    { steps: ['[{"run": "rm x"}]'] },
    { message: { command: 'rm x' } },
    { file: 'rm', args: ['x'] },
    { file: '/bin/rm', arguments: 'x' },
    { args: ['rm', 'x'] },
    { arguments: ['sudo', 'rm', 'x'] },
    { cmd: { name: 'rm', args: ['x'] } },
    { command: { program: 'rm' } },
    { command: { path: '/bin/rm', argv: ['x'] } },
    { commands: [{ name: 'ls' }, { name: 'rm', args: ['x'] }] },
  ])
    it(`matches ${JSON.stringify(input)}`, () => {
      expect(denied(match(rule, 'run_anything', input))).to.equal(true);
    });

  for (const input of [
    { command: 'ls' },
    { cmd: 'echo rm' },
    { argv: ['echo', 'rm x'] },
    { command: 'git', args: ['commit', '-m', 'rm x'] },
    { command: 'ls', content: 'rm x' },
  ])
    it(`does not match ${JSON.stringify(input)}`, () => {
      expect(match(rule, 'run_anything', input)).to.equal('none');
    });

  it('is unclear about calls without a command, or with one that is not a string', () => {
    expect(match(rule, 'run_anything', {})).to.equal('unclear');
    for (const command of [7, ['ls', null], [['rm', 'x']]])
      expect(match(rule, 'run_anything', { command }), String(command)).to.equal('unclear');
    expect(match(rule, 'run_anything', { command: 'ls', args: ['x', null] })).to.equal('unclear');
    const sealed = { $sealed: 'ls', nonce: 'n' };
    for (const input of [{ command: sealed }, { argv: ['ls', sealed] }, { command: 'ls', args: [sealed] }])
      expect(match(rule, 'run_anything', input)).to.equal('unclear');
    expect(match({ command: 'rm:*' }, 'other', { path: 'x' })).to.equal('none');
    expect(match({ command: 'rm:*' }, 'other', { cmd: 'rm x' })).to.equal('all');
  });

  it('stays uncertain about words that may not be a command', () => {
    for (const input of [{ file: 'ls', args: ['x'] }, { args: ['ls', 'x'] }]) {
      expect(match(rule, 'run_anything', input), JSON.stringify(input)).to.equal('unclear');
      expect(match({ command: 'rm:*' }, 'other', input), JSON.stringify(input)).to.equal('none');
      expect(match({ command: 'ls:*' }, 'other', input), JSON.stringify(input)).to.equal('some');
    }
    expect(match(rule, 'run_anything', { command: 'ls', args: ['rm', 'x'] })).to.equal('none');
    expect(match(rule, 'run_anything', { scripts: [{ name: 'rm', command: 'ls' }] })).to.equal('none');
  });

  it('allows a call only if each command is allowed', () => {
    expect(match({ command: 'ls:*' }, 'other', { commands: ['ls', 'ls -l'] })).to.equal('all');
    expect(match({ command: 'ls:*' }, 'other', { commands: ['ls', 'rm x'] })).to.equal('some');
    expect(match({ command: 'git log:*' }, 'other', { command: 'git', args: ['log', '-1'] })).to.equal('all');
    expect(match({ command: 'git log:*' }, 'other', { command: 'git log', args: ['-1'] })).to.equal('all');
    expect(match({ command: 'git log:*' }, 'other', { command: 'git log', args: '; rm x' })).to.equal('some');
    expect(match({ command: 'git log:*' }, 'other', { command: 'git', args: ['log', '; rm x'] })).to.not.equal('none');
  });
});
