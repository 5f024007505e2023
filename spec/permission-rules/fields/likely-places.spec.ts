import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { callRuleMatcher } from '../../../lib/permission-rules/call-rule.ts';
import { callRuleSchema } from '../../../lib/permission-rules/call-rule-schema.ts';
import type { RuleMatch } from '../../../lib/permission-rules/rule-match.ts';
import { tempFolder } from '../../temp-folder.ts';

const cwd = tempFolder('likely-places');
for (const folder of ['secrets', 'src', 'docs', 'config'])
  for (const name of ['', 'deep']) mkdirSync(join(cwd, folder, name), { recursive: true });
writeFileSync(join(cwd, 'secrets', 'pay.txt'), '1');
writeFileSync(join(cwd, 'src', 'a.ts'), '1');
writeFileSync(join(cwd, 'config', '.env'), '1');
// One more than the maximum number of entries that are read.
mkdirSync(join(cwd, 'many'));
for (let at = 0; at <= 1_000; at += 1) writeFileSync(join(cwd, 'many', `${at}.txt`), '');

function match(rule: object, input: object, tool = 'mcp__any__tool'): RuleMatch {
  const call = { own: tool, tool, input: input as JsonObject, permission: 'external' as const };
  return callRuleMatcher(callRuleSchema.parse(rule), { cwd, home: '/home/me' })(call);
}

describe('a path rule for likely paths', () => {
  const rule = { path: ['secrets/**', '.env', '*.pem'] };
  for (const input of [
    { document: 'secrets/new' },
    { document: './secrets/new.txt' },
    { document: 'src/../secrets/new' },
    { document: 'secrets\\new' },
    { document: join(cwd, 'secrets', 'new') },
    { document: 'new.pem' },
    { document: '.env' },
    { path: '%2eenv' },
    { uri: '%2eenv' },
    { anything: '%2eenv' },
    { anything: 'secrets%2Fnew' },
    { anything: 'file:%2eenv' },
    { where: 'secrets' },
    { where: 'secrets/' },
    { where: 'secrets/deep' },
    { where: '.' },
    { where: ' .env\n' },
    { where: '.env#L1' },
    { path: '.env:1' },
    { location: 'secrets/pay.txt:1:20' },
    { location: 'new.pem?raw' },
    { object: 'HEAD:secrets/new' },
    { object: 'v1.0~2:.env' },
    { path: 'main:secrets/pay.txt' },
    { path: ' .env' },
    { where: 'many' },
    { cwd: 'secrets', file: 'pay.txt' },
    { workdir: 'secrets', paths: ['new'] },
    { root: 'secrets', cwd: 'src', request: { file: 'pay.txt' } },
    { root: 'secrets', files: { 'pay.txt': 'text' } },
    { path: 'secrets' },
    { where: 'config' },
    { glob: '**/*' },
    { glob: '*' },
    { glob: 'secrets/*.txt' },
    { glob: '{src,secrets}/**' },
    { glob: 'sec*/**/*.txt' },
    { glob: 's[a-f]crets/x' },
    { glob: 'src/../secrets/*' },
    { glob: 'src/*/../../secrets/*' },
    { glob: '**/.e??' },
    { pattern: '*.{ts,pem}' },
    { path: 'src', glob: '../secrets/*' },
    { path: '', glob: 'secrets/*' },
    { path: 'src', glob: `{${cwd}/secrets,x}/*` },
    { include: ['src/**', '**/*.pem'] },
    { paths: ['src/**/*.ts', 'secrets/*'] },
    { anything: 'secrets/*' },
    { anything: `${cwd}/**` },
    { where: { path: '**' } },
    { request: '{"document":"secrets/new"}' },
    { request: '{"glob":"**/*"}' },
    { request: '{"where":"secrets"}' },
    { request: `${'['.repeat(2_000)}${']'.repeat(2_000)}` },
    { request: `[${'1,'.repeat(600_000)}1]` },
  ])
    it(`is not none for ${JSON.stringify(input).replaceAll(cwd, '..').slice(0, 60)}`, () => {
      expect(match(rule, input)).to.not.equal('none');
    });

  it('allows no call, and denies none that an allow rule covers', () => {
    expect(match({ path: 'secrets/**' }, { document: 'secrets/new' })).to.equal('unclear');
    expect(match({ path: 'src/**' }, { path: 'src/a.ts', branch: 'feature/x' })).to.equal('all');
  });

  it('is unclear about a likely path outside the workspace', () => {
    expect(match({ path: 'outside' }, { document: '../new' })).to.equal('unclear');
    expect(match({ path: 'outside' }, { document: '/tmp/new' })).to.equal('unclear');
    expect(match({ path: 'outside' }, { route: '/api-of-nobody/users' })).to.equal('none');
    expect(match({ path: 'inside' }, { branch: 'feature/x' })).to.equal('none');
  });

  it('checks likely paths in its named fields', () => {
    expect(match({ path: '.env', in: 'args.target' }, { args: { target: '%2eenv' } })).to.equal('unclear');
    expect(match({ path: 'secrets/**', in: 'where' }, { where: 'secrets' })).to.equal('unclear');
    expect(match({ path: 'secrets/**', in: 'where' }, { where: '*' })).to.equal('unclear');
  });
});

/** Calls of tools of other vendors that name nothing that the rules below match. */
const ORDINARY: readonly (readonly [tool: string, input: object])[] = [
  ['get_weather', { city: 'Berlin', units: 'metric' }],
  ['get_forecast', { latitude: 52.52, longitude: 13.4, days: 3, fields: ['temperature', 'wind/gust'] }],
  ['create_event', { title: 'Review', start: '2026-01-05T10:00:00Z', end: '2026-01-05T11:00:00Z' }],
  ['create_event', { title: 'Lunch', date: '05/01/2026', timezone: 'Europe/Berlin', attendees: ['a@example.com'] }],
  ['run_sql', { query: 'SELECT * FROM users WHERE name LIKE "%a%" LIMIT 10' }],
  ['run_sql', { sql: 'select a/b from t where path = "secrets/x"', params: [1, null] }],
  ['query_rows', { table: 'users', columns: ['*'], where: { age: { gt: 3 } } }],
  ['send_message', { channel: '#general', text: 'The key is in secrets/pay.txt, and .env has the rest.' }],
  ['send_message', { to: '@anna', message: 'see secrets/new and/or *.pem' }],
  ['post_comment', { issue: 12, body: 'Do not commit .env' }],
  ['translate', { text: 'Open secrets/pay.txt', source: 'en', target: 'de' }],
  ['translate', { text: 'rm -rf secrets', from: 'en', to: 'ja' }],
  ['summarize', { content: '# Notes\nsecrets/**', style: 'short' }],
  ['chat', { messages: [{ role: 'user', content: 'what is in secrets/new?' }], model: 'vendor/model-1' }],
  ['complete', { prompt: 'Write to secrets/new', temperature: 0.2, stop: ['\n\n'] }],
  ['search_web', { query: 'how to store .env files', count: 10, lang: 'en-US' }],
  ['search_web', { q: 'site:example.com "secrets/**"' }],
  ['fetch_page', { url: 'https://example.com/a/b?c=%2eenv#d', headers: { accept: 'text/html;q=0.9' } }],
  ['fetch_page', { url: 'https://example.com/docs/*', format: 'markdown' }],
  ['http_request', { method: 'POST', url: 'https://api.example.com/v1/x', body: { name: 'and/or', tags: ['a/b'] } }],
  ['upload', { mimeType: 'application/json', name: 'report.json', data: 'eyJhIjoxfQ==' }],
  ['create_issue', { owner: 'acme', repo: 'acme/site', title: 'Fix *.pem docs', labels: ['type/bug'] }],
  ['get_file', { owner: 'acme', repo: 'site', path: 'docs/guide.md', ref: 'feature/login' }],
  ['create_branch', { repo: 'acme/site', branch: 'fix/typo', from: 'main' }],
  ['list_directory', { path: 'src' }],
  ['list_directory', { path: 'docs/deep' }],
  ['search_files', { path: 'src', pattern: '**/*.ts' }],
  ['search_files', { root: '.', glob: 'src/**/*.{ts,tsx}' }],
  ['search_code', { pattern: '^import .* from', include: '*.ts' }],
  ['search_code', { pattern: '\\bfoo(bar)?[A-Z]{3}$', include: ['*.md'] }],
  ['run_tests', { cwd: '.', filter: 'login*', args: ['--grep', 'a/b'] }],
  ['run_tests', { working_directory: '.', command: 'npm test' }],
  ['convert', { amount: 10, from: 'USD', to: 'EUR' }],
  ['convert', { value: '1/2', unit: 'cup', target: 'ml' }],
  ['divide', { expression: '3/4*2' }],
  ['evaluate', { expression: '(a+b)*c/[d]' }],
  ['set_reminder', { when: '12/24', note: 'buy secrets.' }],
  ['schedule', { cron: '*/5 * * * *', job: 'backup' }],
  ['book_flight', { from: 'BER', to: 'JFK', date: '2026/01/05' }],
  ['get_stock', { symbol: 'BRK.B', range: '1y' }],
  ['currency', { pair: 'EUR/USD' }],
  ['play_track', { uri: 'spotify:track:abc', volume: 0.4 }],
  ['lookup_package', { name: '@scope/package', version: '^1.2.0' }],
  ['docker_pull', { image: 'registry.example.com/acme/site:1.2' }],
  ['get_metric', { name: 'http_requests_total', labels: { route: '/api/users', code: '5xx' } }],
  ['publish', { topic: 'sensors/+/temperature', payload: '{"celsius": 21.5}' }],
  ['publish', { topic: 'orders', payload: '[{"id": 1, "note": "and/or"}]' }],
  ['update_row', { id: 7, values: '{"title":"a/b","text":"see secrets/new"}' }],
  ['set_color', { color: '#ff00ff', alpha: '50%' }],
  ['reply', { body: { text: 'secrets/new', html: '<b>.env</b>' } }],
  ['memory_store', { key: 'user/preferences', value: 'dark mode' }],
  ['open_file', { location: 'src/a.ts:12:4', at: '12:30', ratio: '16:9', ref: 'HEAD:docs/guide.md' }],
  ['pull_image', { image: 'acme/site:1.2.env', anchor: 'guide.md#env', key: 'user:1', tag: 'v1:latest' }],
  ['ship', { address: 'Main Street 5, Berlin', server: 'live', args: ['--fast', 'x'], file: 'src/a.ts' }],
  ['set_status', { emoji: ':tada:', text: 'shipping *.pem', until: null }],
];

describe('an ordinary call of another tool', () => {
  const rules = [
    { path: ['secrets/**', '.env', '*.pem', './keys/'] },
    { path: ['~/.ssh/**', '//etc/**'] },
    { path: 'outside', permission: ['external'] },
    { host: ['*.internal', 'localhost'] },
    { command: ['rm:*', 'git push:*'] },
  ];
  for (const [tool, input] of ORDINARY)
    it(`matches no rule for all tools: ${tool} ${JSON.stringify(input).slice(0, 60)}`, () => {
      expect(rules.map((rule) => match(rule, input, tool))).to.deep.equal(rules.map(() => 'none'));
    });
});
