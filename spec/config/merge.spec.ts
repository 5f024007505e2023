import { expect } from 'chai';
import { loadConfig, showPath } from 'hookline/config';
import { written } from './read.ts';

function merged(...configs: object[]) {
  const names = configs.map((_, index) => `${index}.json`);
  const at = written(Object.fromEntries(configs.map((config, index) => [`${index}.json`, config])));
  return loadConfig(names.map(at));
}

describe('several configuration files', () => {
  it('merge field by field, the later one winning, hooks in the order in which they are met first', () => {
    const { config, faults } = merged(
      {
        model: 'offline',
        hooks: { a: { type: 'audit-log', options: { args: false, level: 'warn' } }, b: { type: 'security-scan' } },
      },
      {
        workspace: 'w',
        hooks: { c: { type: 'audit-log' }, a: { priority: 7, match: { tools: ['x'] }, options: { args: true } } },
      },
      { hooks: { a: { match: { agents: ['y'] } } } },
    );
    expect(faults).to.deep.equal([]);
    expect(config.written).to.deep.equal({
      model: 'offline',
      workspace: 'w',
      hooks: {
        a: {
          type: 'audit-log',
          priority: 7,
          match: { tools: ['x'], agents: ['y'] },
          options: { args: true, level: 'warn' },
        },
        b: { type: 'security-scan' },
        c: { type: 'audit-log' },
      },
    });
  });

  for (const [what, later] of [
    ['enabled', { enabled: false }],
    ['match', { match: { tools: ['nothing'] } }],
    ['type', { type: 'audit-log' }],
    ['phase', { phase: 'tool_skip' }],
  ] as const) {
    it(`never lose an approver: ${what} of a later file has no effect, and a notice says so in its place`, () => {
      const guard = { type: 'dangerous-confirmation', options: { timeoutMs: 5 } };
      const { config, faults, notices } = merged({ hooks: { guard } }, { hooks: { guard: later } });
      expect(faults).to.deep.equal([]);
      expect(config.written.hooks).to.deep.equal({ guard });
      expect(notices.map(({ path, line }) => [showPath(path), line])).to.deep.equal([[`hooks.guard.${what}`, 4]]);
      expect(notices[0]?.message).to.match(/has no effect: "guard" may refuse calls, and was set up by .*0\.json/);
    });
  }

  it('may switch on an approver, and tune it', () => {
    const { config, notices } = merged(
      { hooks: { guard: { type: 'dangerous-confirmation', enabled: false } } },
      { hooks: { guard: { enabled: true, priority: 3, options: { timeoutMs: 9 } } } },
    );
    expect(notices).to.deep.equal([]);
    expect(config.written.hooks?.['guard']).to.deep.include({ enabled: true, priority: 3, options: { timeoutMs: 9 } });
  });

  it('drop the options of a hook that becomes another kind', () => {
    const { config, faults } = merged(
      { hooks: { a: { type: 'audit-log', options: { args: false } } } },
      { hooks: { a: { type: 'security-scan' } } },
    );
    expect(faults).to.deep.equal([]);
    expect(config.written.hooks).to.deep.equal({ a: { type: 'security-scan' } });
  });

  it('have a fault told in the file that says the part that is wrong', () => {
    const { faults } = merged(
      { hooks: { a: { type: 'audit-log', options: { level: 'loud' } } } },
      { hooks: { a: { priority: 1, options: { args: 'all' } } } },
    );
    expect(faults.map(({ file, path }) => [file.slice(-6), showPath(path)])).to.deep.equal([
      ['0.json', 'hooks.a.options.level'],
      ['1.json', 'hooks.a.options.args'],
    ]);
  });

  it('of different dialects merge too', () => {
    const { config, faults } = merged(
      { hooks: { pre_tool_use: { handlers: [{ type: 'dangerous_confirmation' }] } } },
      { hooks: { processes: { p: { enabled: true, command: ['p'], observe: ['*'] } } } },
      { hooks: { 'pre_tool_use.dangerous-confirmation': { options: { timeoutMs: 5 } } } },
    );
    expect(faults).to.deep.equal([]);
    expect(Object.keys(config.written.hooks ?? {})).to.deep.equal(['pre_tool_use.dangerous-confirmation', 'p']);
  });
});
