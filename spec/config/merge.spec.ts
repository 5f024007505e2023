import { expect } from 'chai';
import { formatPath, loadConfig } from 'hookline/config';
import { written } from './read.ts';

function merged(...configs: object[]) {
  const names = configs.map((_, index) => `${index}.json`);
  const at = written(Object.fromEntries(configs.map((config, index) => [`${index}.json`, config])));
  return loadConfig(names.map(at));
}

describe('several configuration files', () => {
  it('merges field by field, the later one wins, with hooks in order of first appearance', () => {
    const { config, issues } = merged(
      {
        model: 'offline',
        weaker: true,
        hooks: { a: { type: 'audit-log', options: { args: false, level: 'warn' } }, b: { type: 'security-scan' } },
      },
      {
        workspace: 'w',
        hooks: { c: { type: 'audit-log' }, a: { priority: 7, match: { tools: ['x'] }, options: { args: true } } },
      },
      { hooks: { a: { match: { agents: ['y'] } } } },
    );
    expect(issues).to.deep.equal([]);
    expect(config.written).to.deep.equal({
      model: 'offline',
      workspace: 'w',
      hooks: {
        a: {
          type: 'audit-log',
          weaker: true,
          priority: 7,
          match: { tools: ['x'], agents: ['y'] },
          options: { args: true, level: 'warn' },
        },
        b: { type: 'security-scan', weaker: true },
        c: { type: 'audit-log' },
      },
    });
  });

  const guard = { type: 'dangerous-confirmation', options: { timeoutMs: 5, patterns: ['pay'] } };
  const scan = {
    type: 'security-scan',
    options: { policies: { toolInput: 'block' }, known: [{ label: 'a', value: 'swordfish' }] },
  };
  const script = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } };
  const command = { type: 'command', options: { settings: script } };
  const closed = { ...command, onFailure: 'block' };
  const module = { type: 'module', path: './guard.js', options: { on: true } };
  const process = { type: 'process', options: { command: ['guard'], intercept: ['approve_tool'] } };
  const timed = { ...process, timeoutMs: 5_000 };
  type Weakening = readonly [what: string, hook: object, later: object, at: string];
  const weakenings: readonly Weakening[] = [
    ['disabled', guard, { enabled: false }, 'enabled'],
    ['narrowed', guard, { match: { tools: ['nothing'] } }, 'match'],
    ['of another type', guard, { type: 'audit-log' }, 'type'],
    ['bound to a phase', guard, { phase: 'tool_skip' }, 'phase'],
    ['for no permissions', guard, { options: { permissions: [] } }, 'options.permissions'],
    ['without its patterns', guard, { options: { patterns: [] } }, 'options.patterns'],
    ['with another askBy', guard, { options: { askBy: 'suspend' } }, 'options.askBy'],
    ['with a laxer policy', scan, { options: { policies: { toolInput: 'off' } } }, 'options.policies'],
    ['without a policy', scan, { options: { policies: { text: 'block' } } }, 'options.policies'],
    ['without known values', scan, { options: { known: [] } }, 'options.known'],
    ['with omitted rules', scan, { options: { without: ['credential'] } }, 'options.without'],
    ['with empty settings', command, { options: { settings: { hooks: {} } } }, 'options.settings'],
    ['of scripts that fail open', command, { timeoutMs: 1 }, 'timeoutMs'],
    ['of scripts that skip failures', closed, { onFailure: 'skip' }, 'onFailure'],
    ['of a module with an option', module, { options: { on: false } }, 'options.on'],
    ['of another module', module, { path: './other.js' }, 'path'],
    ['of another program', process, { options: { command: ['true'] } }, 'options.command'],
    ['without its intercepts', process, { options: { intercept: [] } }, 'options.intercept'],
    ['with a timeout of 1 ms', timed, { timeoutMs: 1 }, 'timeoutMs'],
    ['open to later files', guard, { weaker: true }, 'weaker'],
  ];

  for (const [what, hook, later, at] of weakenings) {
    it(`never disables an approver, with a notice at its path (${what})`, () => {
      const { config, notices } = merged({ hooks: { guard: hook } }, { hooks: { guard: later } });
      expect(config.written.hooks).to.deep.equal({ guard: hook });
      expect(notices.map(({ file, path }) => [file.slice(-6), formatPath(path)])).to.deep.equal([
        ['1.json', `hooks.guard.${at}`],
      ]);
      expect(notices[0]?.message).to.match(
        /has no effect: "guard" may deny calls, and was configured by .*0\.json.*weaker: true.*--allow-weaker/,
      );
    });
  }

  for (const [what, allow] of [
    ['the hook sets weaker: true', (hook: object) => ({ hooks: { guard: { ...hook, weaker: true } } })],
    ['its file sets weaker: true', (hook: object) => ({ weaker: true, hooks: { guard: hook } })],
  ] as const) {
    it(`may disable an approver if ${what}`, () => {
      for (const [name, hook, later, at] of weakenings) {
        if (at === 'weaker') continue;
        const { config, notices } = merged(allow(hook), { hooks: { guard: later } });
        expect(notices, name).to.deep.equal([]);
        expect(config.written.hooks?.['guard'], name).not.to.deep.equal({ ...hook, weaker: true });
      }
    });
  }

  it('may disable an approver if the operator allows it', () => {
    for (const [name, hook, later] of weakenings) {
      const at = written({ '0.json': { hooks: { guard: hook } }, '1.json': { hooks: { guard: later } } });
      const { config, notices } = loadConfig([at('0.json'), at('1.json')], { allowWeaker: true });
      expect(notices, name).to.deep.equal([]);
      expect(config.written.hooks?.['guard'], name).not.to.deep.equal(hook);
    }
  });

  it('may tighten an approver', () => {
    for (const [hook, later] of [
      [guard, { options: { patterns: ['pay', 'send'], timeoutMs: 9 } }],
      [scan, { options: { policies: { toolInput: 'block', text: 'block' } } }],
      [
        scan,
        {
          options: {
            known: [
              { label: 'b', value: 'swordfish' },
              { label: 'c', value: 'barracuda' },
            ],
          },
        },
      ],
      [closed, { timeoutMs: 1 }],
      [process, { onFailure: 'block', options: { intercept: ['approve_tool', 'before_tool'] } }],
    ]) {
      const { config, notices } = merged({ hooks: { guard: hook } }, { hooks: { guard: later } });
      expect(notices).to.deep.equal([]);
      expect(config.written.hooks?.['guard']).to.deep.include(
        'options' in later! ? { options: { ...(hook as typeof guard).options, ...later.options } } : later,
      );
    }
  });

  it('loses only the part that disables an approver', () => {
    const later = { onFailure: 'block', options: { permissions: [], timeoutMs: 9 } };
    const { config, notices } = merged({ hooks: { guard } }, { hooks: { guard: later } });
    expect(config.written.hooks?.['guard']).to.deep.equal({
      ...guard,
      onFailure: 'block',
      options: { ...guard.options, timeoutMs: 9 },
    });
    expect(notices.map(({ path }) => formatPath(path))).to.deep.equal(['hooks.guard.options.permissions']);
  });

  it('applies fail-open defaults of a later file to its own hooks only', () => {
    const { config, notices } = merged(
      { defaults: { onFailure: 'block' }, hooks: { p: process, audit: { type: 'audit-log' } } },
      { defaults: { onFailure: 'skip' }, hooks: { q: process } },
    );
    expect(Object.fromEntries(config.hooks.map(({ name, defaults }) => [name, defaults.onFailure]))).to.deep.equal({
      p: 'block',
      audit: 'block',
      q: 'skip',
    });
    expect(notices.map(({ path }) => formatPath(path))).to.deep.equal(['defaults.onFailure', 'defaults.onFailure']);
  });

  it('may enable an approver and adjust it', () => {
    const { config, notices } = merged(
      { hooks: { guard: { type: 'dangerous-confirmation', enabled: false } } },
      { hooks: { guard: { enabled: true, priority: 3, options: { timeoutMs: 9 } } } },
    );
    expect(notices).to.deep.equal([]);
    expect(config.written.hooks?.['guard']).to.deep.include({ enabled: true, priority: 3, options: { timeoutMs: 9 } });
  });

  it('drops the options of a hook that changes its kind', () => {
    const { config, issues } = merged(
      { hooks: { a: { type: 'audit-log', weaker: true, options: { args: false } } } },
      { hooks: { a: { type: 'security-scan' } } },
    );
    expect(issues).to.deep.equal([]);
    expect(config.written.hooks).to.deep.equal({ a: { type: 'security-scan', weaker: true } });
  });

  it('reports an issue in the file that contains the invalid part', () => {
    const { issues } = merged(
      { weaker: true, hooks: { a: { type: 'audit-log', options: { level: 'loud' } } } },
      { hooks: { a: { priority: 1, options: { args: 'all' } } } },
    );
    expect(issues.map(({ file, path }) => [file.slice(-6), formatPath(path)])).to.deep.equal([
      ['0.json', 'hooks.a.options.level'],
      ['1.json', 'hooks.a.options.args'],
    ]);
  });

  it('may have different dialects', () => {
    const { config, issues } = merged(
      { hooks: { pre_tool_use: { handlers: [{ type: 'dangerous_confirmation' }] } } },
      { hooks: { processes: { p: { enabled: true, command: ['p'], observe: ['*'] } } } },
      { hooks: { 'pre_tool_use.dangerous-confirmation': { options: { timeoutMs: 5 } } } },
    );
    expect(issues).to.deep.equal([]);
    expect(Object.keys(config.written.hooks ?? {})).to.deep.equal(['pre_tool_use.dangerous-confirmation', 'p']);
  });
});
