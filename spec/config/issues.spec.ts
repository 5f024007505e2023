import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { loadConfig } from 'hookline/config';
import { command } from '../cli/hookline.ts';
import { tempFolder } from '../temp-folder.ts';
import { read, shown, written } from './read.ts';

const YAML = `# hooks
hooks:
  audit:
    type: audit-log
    options: { argz: true }
  guard: { type: dangerous-confirmatoin }
  scan:
    type: security-scan
    enabled: treu
    options:
      policies: { prompt: redacted }
tols: [a]
`;

describe('issues of a configuration', () => {
  it('reports all issues at once, with file, line, column, path, value, expectation, and the nearest name', () => {
    expect(shown(read(YAML, 'c.yaml'))).to.deep.equal([
      'c.yaml:5:16 hooks.audit.options.argz: unknown key. Did you mean "args"?',
      'c.yaml:6:18 hooks.guard.type: unknown hook type "dangerous-confirmatoin". Did you mean "dangerous-confirmation"?',
      'c.yaml:9:14 hooks.scan.enabled: expected boolean, got "treu".',
      'c.yaml:11:27 hooks.scan.options.policies.prompt: expected one of "off"|"report"|"redact"|"block" or object, got "redacted". Did you mean "redact"?',
      'c.yaml:12:1 tols: unknown key. Did you mean "tools"?',
    ]);
  });

  it('includes issues in JSON with comments and trailing commas', () => {
    const text = '{\n  // what is watched\n  "hooks": {\n    "a": { "type": "audit-log", "priority": "5", },\n  },\n}';
    expect(shown(read(text, 'c.jsonc'))).to.deep.equal(['c.jsonc:4:45 hooks.a.priority: expected number, got "5".']);
  });

  for (const [what, text, name, issue] of [
    ['truncated text', '{ "hooks": {', 'c.json', /^c\.json:1:13 \(top level\): invalid JSON: close brace expected/],
    ['text that is not an object', '[1]', 'c.json', /c\.json:1:1 \(top level\): expected an object, got a list\./],
    ['an empty file', '', 'c.yaml', /expected an object, got nothing\./],
    ['a duplicate key', '{ "hooks": { "a": {}, "a": {} } }', 'c.json', /^c\.json:1:23 hooks\.a: duplicate key/],
    ['a duplicate key in YAML', 'hooks: {}\nhooks: {}', 'c.yaml', /^c\.yaml:2:1 hooks: duplicate key/],
    ['a number that JSON cannot hold', '{ "version": 1e999 }', 'c.json', /^c\.json:1:14 version: is Infinity/],
    ['an alias without an anchor', 'hooks: *nowhere', 'c.yaml', /^c\.yaml:1:8 hooks: the alias \*nowhere/],
    [
      'aliases that expand too much',
      `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [${'*a,'.repeat(40)}]\nc: [${'*b,'.repeat(40)}]`,
      'c.yaml',
      /alias count/i,
    ],
    ['nesting that is too deep', '{"hooks":'.repeat(200_000), 'c.json', /nested too deeply/],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'c.json', /not UTF-8/],
    [
      '__proto__',
      '{ "hooks": { "__proto__": { "type": "audit-log" } } }',
      'c.json',
      /hooks\.__proto__: this name is not allowed/,
    ],
    [
      'a hook without a type',
      { hooks: { audti: { priority: 1 }, audit: { type: 'audit-log' } } },
      'c.json',
      /hooks\.audti: type is missing.* Did you mean the hook "audit"\?/,
    ],
    [
      'a path of a hook that is not a module',
      { hooks: { a: { type: 'audit-log', path: './x.js' } } },
      'c.json',
      /hooks\.a\.path: requires type module, got audit-log/,
    ],
    [
      'a module without a path',
      { hooks: { a: { type: 'module' } } },
      'c.json',
      /hooks\.a: a hook of type module needs a path/,
    ],
    [
      'a process without a command',
      { hooks: { a: { type: 'process', options: { intercept: ['before_tool'] } } } },
      'c.json',
      /hooks\.a\.options\.command: is missing/,
    ],
    ['a later version', { version: 2 }, 'c.json', /version: expected 1, got 2/],
  ] as const) {
    it(`reports ${what}`, () => {
      const [first = 'no issue'] = shown(read(text, name));
      expect(first).to.match(issue);
    });
  }

  it('never shows a secret value', () => {
    const process = { type: 'process', options: { command: ['x'], observe: ['*'], env: { TOKEN: 5_550_123 } } };
    const scan = {
      type: 'security-scan',
      options: { key: { secret: 'hunter2hunter2' }, known: [{ label: 'x', value: 'abc' }] },
    };
    const told = shown(read({ hooks: { process, scan } })).join('\n');
    expect(told).to.include('hooks.process.options.env.TOKEN').and.include('a hidden value');
    expect(told).not.to.match(/5550123|hunter2|"abc"/);
  });

  it('is one error for a missing file', () => {
    expect(() => loadConfig(['/nowhere/c.json'])).to.throw(
      'Cannot read the configuration "/nowhere/c.json": there is no such file.',
    );
  });

  it('is one error for other file types, and stops reading an endless pipe', async function () {
    expect(() => loadConfig([tempFolder('config')])).to.throw('it is a folder; use a file or a pipe.');
    if (process.platform === 'win32') {
      console.log('      skipped: Windows has no devices and pipes as files');
      this.skip();
    }
    expect(() => loadConfig(['/dev/zero'])).to.throw('it is a device; use a file or a pipe.');
    const check = (from: string) =>
      promisify(execFile)('sh', ['-c', `${from} | "$0" "$@"`, ...command, 'check', '/dev/stdin']).then(
        ({ stdout }) => stdout,
        ({ stdout }) => stdout,
      );
    expect(await check('echo \'{ "hooks": {} }\'')).to.equal('');
    expect(await check('yes')).to.include('larger than 4194304 bytes');
  });

  it('is reported before parsing if a file is far too big', () => {
    const file = written({ 'c.json': `{ "hooks": {} }${' '.repeat(5 << 20)}` })('c.json');
    expect(shown(loadConfig([file]))[0]).to.match(/larger than 4194304 bytes/);
  });
});
