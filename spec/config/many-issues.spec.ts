import { expect } from 'chai';
import { configError, formatIssues } from 'hookline/config';
import { type Api, anApi } from '../server/api.ts';
import { read, shown } from './read.ts';

const COUNT = process.env['HOOKLINE_SOAK'] ? 20_000 : 5_000;
const members = (value: (index: number) => unknown, name = 'h') =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`${name}${index}`, value(index)]));
const items = (value: unknown) => Array.from({ length: COUNT }, () => value);
const lines = (line: (index: number) => string) => Array.from({ length: COUNT }, (_, index) => line(index)).join('\n');

describe('a configuration with very many issues', () => {
  // Comparing all pairs would exceed the timeout.
  for (const [what, content, name] of [
    ['hooks without a type', { hooks: members(() => ({ priority: 1 })) }, 'c.json'],
    ['unknown types', { hooks: members(() => ({ type: 'audti-log' })) }, 'c.json'],
    ['unknown keys', { hooks: members(() => ({ type: 'audit-log', prioriy: 1 })) }, 'c.json'],
    ['unknown keys of one hook', { hooks: { a: { type: 'audit-log', ...members(() => 1) } } }, 'c.json'],
    ['wrong values', { hooks: members(() => ({ type: 'audit-log', priority: 'x' })) }, 'c.json'],
    ['wrong items', { hooks: { a: { type: 'security-scan', options: { known: items(1) } } } }, 'c.json'],
    ['handlers of the JARVIS plan', { pre_tool_use: { handlers: items({ type: 'audti-log' }) } }, 'c.json'],
    ['processes of PicoClaw', { hooks: { processes: members(() => ({ enabled: true })) } }, 'c.json'],
    ['handlers of Claude Code', { hooks: { PreToolUse: items({ hooks: [{ type: 'comand' }] }) } }, 'c.json'],
    ['unknown keys in YAML', `hooks:\n${lines((index) => `  h${index}: {type: audit-log, prioriy: 1}`)}`, 'c.yaml'],
    ['duplicate keys in YAML', `hooks:\n${lines((index) => `  h${index >> 1}: {}`)}`, 'c.yaml'],
    ['duplicate keys', `{"hooks":{${lines((index) => `"h${index >> 1}": {},`)}}}`, 'c.json'],
  ] as const) {
    it(`is reported without extra time: ${what}`, function () {
      this.timeout(COUNT * 2);
      const { issues } = read(content, name);
      expect(issues).to.have.length.within(COUNT / 2, 2 * COUNT);
      const last = issues.at(-1)!;
      expect(last.line, 'each in its own place').to.be.greaterThan(what.includes('one hook') ? 4 : 1_000);
      const told = formatIssues(issues);
      expect(told).to.have.length(51);
      expect(told.at(-1)).to.equal(`and ${issues.length - 50} more`);
      expect(configError(issues).message.split('\n')).to.deep.equal([`${issues.length} issues:`, ...told]);
    });
  }
});

describe('a YAML issue', () => {
  for (const [what, text, issues] of [
    [
      'a number that JSON cannot hold',
      'hooks:\n  a:\n    type: audit-log\n    priority: .nan\n    timeoutMs: -.inf\n',
      [
        'c.yaml:4:15 hooks.a.priority: is NaN, which JSON cannot represent. Use a plain number.',
        'c.yaml:5:16 hooks.a.timeoutMs: is -Infinity, which JSON cannot represent. Use a plain number.',
      ],
    ],
    [
      'an alias that refers to itself',
      'hooks: &h\n  a: *h\n',
      ['c.yaml:2:6 hooks.a: the alias *h refers to a value that contains it.'],
    ],
    [
      'an alias without an anchor',
      'tools: [a, *gone]\nhooks:\n  a:\n    type: *nope\n',
      [
        'c.yaml:1:12 tools[1]: the alias *gone has no target. Define the anchor &gone before it.',
        'c.yaml:4:11 hooks.a.type: the alias *nope has no target. Define the anchor &nope before it.',
      ],
    ],
    [
      '__proto__',
      'hooks:\n  a:\n    type: audit-log\n    options:\n      __proto__: 1\n',
      ['c.yaml:5:7 hooks.a.options.__proto__: this name is not allowed.'],
    ],
    [
      'a duplicate key',
      'hooks:\n  a: {}\n  a: {}\n',
      ['c.yaml:3:3 hooks.a: duplicate key; the first one would be ignored.'],
    ],
    [
      'a merge of a value that is not a map',
      'hooks:\n  a:\n    <<: 5\n',
      ['c.yaml:3:5 hooks.a["<<"]: merges a value that is not a map. Use an alias of a map, or a list of aliases.'],
    ],
    [
      'an issue in a merged map',
      'hooks:\n  a: &a\n    type: audit-log\n    options: {argz: 1}\n  b:\n    <<: *a\n    prioriy: 2\n',
      [
        'c.yaml:4:15 hooks.a.options.argz: unknown key. Did you mean "args"?',
        'c.yaml:4:15 hooks.b.options.argz: unknown key. Did you mean "args"?',
        'c.yaml:7:5 hooks.b.prioriy: unknown key. Did you mean "priority"?',
      ],
    ],
  ] as const) {
    it(`has the right place: ${what}`, () => {
      expect(shown(read(text, 'c.yaml'))).to.deep.equal(issues);
    });
  }

  it('is not created for keys that merge keys take from another hook', () => {
    const text =
      'hooks:\n  a: &a {type: audit-log, priority: 3}\n  b: {<<: *a, priority: 4}\n  c: {<<: [{enabled: false}, *a]}\n';
    const { issues, config } = read(text, 'c.yaml');
    expect(issues).to.deep.equal([]);
    expect(config.written.hooks).to.deep.equal({
      a: { type: 'audit-log', priority: 3 },
      b: { type: 'audit-log', priority: 4 },
      c: { type: 'audit-log', priority: 3, enabled: false },
    });
  });
});

describe('the list of issues over HTTP', () => {
  let api: Api;
  before(async () => {
    api = await anApi();
  });
  after(() => api.close());

  it('is limited to fifty, with the number of the others', async () => {
    const known = Array.from({ length: 1_000 }, () => 1);
    const body = { hooks: { a: { type: 'security-scan', options: { known } } } };
    const { json } = await api.ask('POST', '/api/hooks/config/validate', { body });
    expect(json.issues).to.have.length(50);
    // Each item, and the list for its length.
    expect(json).to.include({ valid: false, more: 951 });
    const refused = await api.ask('POST', '/api/hooks/config', { body });
    expect(refused.json.error).to.include({ code: 'CONFIG_INVALID', more: 951 });
    expect(refused.json.error.issues).to.have.length(50);
    expect(refused.json.error.message).to.match(/^1001 issues:\n.*\nand 951 more$/s);
    const wrong = await api.ask('POST', '/api/hooks/explain', {
      body: Object.fromEntries(known.map((_, i) => [`k${i}`, 1])),
    });
    expect(wrong.json.error.issues).to.have.length(50);
  });
});
