import { expect } from 'chai';
import { formatIssue, loadConfig } from 'hookline/config';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { read, shown, written } from './read.ts';

const jarvis = {
  pre_tool_use: {
    enabled: true,
    handlers: [
      { type: 'audit_log', filter: null },
      { type: 'dangerous_confirmation', filter: { permissions: ['WRITE', 'EXTERNAL'] } },
    ],
  },
  post_tool_use: { enabled: true, handlers: [{ type: 'security_scan', filter: null }, { type: 'audit_log' }] },
  tool_error: { enabled: false, handlers: [{ type: 'audit_log', filter: null }] },
  tool_skip: {
    handlers: [{ type: 'audit-log', filter: { tools: ['write_*'], agents: ['a'] } }, { type: 'audit-log' }],
  },
};

const jarvisHooks = {
  'pre_tool_use.audit-log': { type: 'audit-log', priority: 100, phase: 'pre_tool_use' },
  'pre_tool_use.dangerous-confirmation': {
    type: 'dangerous-confirmation',
    priority: 100,
    phase: 'pre_tool_use',
    match: { permissions: ['write', 'external'] },
  },
  'post_tool_use.security-scan': { type: 'security-scan', priority: 100, phase: 'post_tool_use' },
  'post_tool_use.audit-log': { type: 'audit-log', priority: 100, phase: 'post_tool_use' },
  'tool_error.audit-log': { type: 'audit-log', enabled: false, priority: 100, phase: 'tool_error' },
  'tool_skip.audit-log': {
    type: 'audit-log',
    priority: 100,
    phase: 'tool_skip',
    match: { tools: ['write_*'], agents: ['a'] },
  },
  'tool_skip.audit-log.2': { type: 'audit-log', priority: 100, phase: 'tool_skip' },
};

describe('a configuration of the JARVIS plan', () => {
  it('becomes one hook per handler, bound to its phase, in the order of the lists', () => {
    const { config, issues } = read({ hooks: jarvis });
    expect(issues).to.deep.equal([]);
    expect(config.written.hooks).to.deep.equal(jarvisHooks);
    expect(Object.keys(config.written.hooks ?? {})).to.deep.equal(Object.keys(jarvisHooks));
  });

  it('may omit the wrapping hooks', () => {
    expect(read(jarvis).config.written.hooks).to.deep.equal(jarvisHooks);
  });

  for (const [what, whole] of [
    ['at the top', { enabled: false, hooks: jarvis }],
    ['in hooks', { hooks: { enabled: false, ...jarvis } }],
    ['at the top without a hooks field', { enabled: false, ...jarvis }],
  ] as const) {
    it(`is disabled as a whole by enabled ${what}`, () => {
      const { config, issues } = read(whole);
      expect(issues).to.deep.equal([]);
      expect(config.hooks.every(({ entry }) => entry.enabled === false)).to.equal(true);
    });
  }

  it('reports issues with their own paths', () => {
    const hooks = {
      pre_tool_use: { handlers: [{ type: 'audit_lgo' }, { type: 'audit_log', filter: { permissions: ['WRTIE'] } }] },
      post_tool_use: { handlers: [{ type: 'security_scan', options: { mode: 'x' } }], enabeld: true },
    };
    expect(shown(read({ hooks })).map((issue) => issue.replace(/^c\.json:\d+:\d+ /, ''))).to.deep.equal([
      'hooks.pre_tool_use.handlers[0].type: unknown hook type "audit-lgo". Did you mean "audit-log"?',
      'hooks.pre_tool_use.handlers[1].filter.permissions[0]: expected one of "read"|"write"|"external", got "WRTIE". Did you mean "write"?',
      'hooks.post_tool_use.handlers[0].options.mode: expected one of "marker"|"numbered"|"mask"|"hash"|"format"|"token", got "x".',
      'hooks.post_tool_use.enabeld: unknown key. Did you mean "enabled"?',
    ]);
  });
});

describe('a configuration of PicoClaw', () => {
  const hooks = {
    enabled: true,
    defaults: { observer_timeout_ms: 0, interceptor_timeout_ms: 2_000, approval_timeout_ms: 9_000 },
    builtins: { audit_log: { enabled: true, priority: 5, config: { args: false } } },
    processes: {
      b: { enabled: true, command: ['b'], intercept: ['before_tool', ''] },
      a: { enabled: true, command: ['a'], dir: '', env: { X: '1' }, observe: ['tool_exec_start'], transport: 'stdio' },
      early: { enabled: true, priority: -1, command: ['e'], observe: ['*'] },
      off: { command: [] },
    },
  };

  it('puts built-ins before processes, by priority, then name, and ignores entries that are not enabled', () => {
    const { config, issues } = read({ hooks });
    expect(issues.map(formatIssue)).to.deep.equal([]);
    const timeouts = { interceptorMs: 2_000, approvalMs: 9_000 };
    expect(Object.entries(config.written.hooks ?? {})).to.deep.equal([
      ['audit_log', { type: 'audit-log', priority: 5, options: { args: false } }],
      ['early', { type: 'process', priority: -1, options: { command: ['e'], observe: ['*'], timeouts } }],
      [
        'a',
        {
          type: 'process',
          priority: 0,
          options: { command: ['a'], env: { X: '1' }, observe: ['tool_exec_start'], timeouts },
        },
      ],
      ['b', { type: 'process', priority: 0, options: { command: ['b'], intercept: ['before_tool'], timeouts } }],
      ['off', { type: 'process', enabled: false, priority: 0, options: { command: [], timeouts } }],
    ]);
  });

  it('is disabled as a whole by enabled: false', () => {
    const { config } = read({ hooks: { ...hooks, enabled: false } });
    expect(config.hooks.map(({ entry }) => entry.enabled)).to.deep.equal(Array(5).fill(false));
  });

  it('reports the issues of the original with their paths, including unknown fields', () => {
    const wrong = {
      defaults: { observer_timeout: 5 },
      builtins: { nobody: { enabled: true } },
      processes: {
        a: { enabled: true, transport: 'http', command: ['a'], observe: ['*'] },
        b: { enabled: true, observe: ['*'] },
        c: { enabled: true, command: ['c'], intercept: ['before_tol'] },
        d: { enabled: true, command: ['d'], observe: ['*'], timeout_ms: 5 },
      },
    };
    expect(shown(read({ hooks: wrong })).map((issue) => issue.replace(/^c\.json:\d+:\d+ /, ''))).to.deep.equal([
      'hooks.defaults.observer_timeout: unknown key. Did you mean "observer_timeout_ms"?',
      `hooks.builtins.nobody: unknown hook type "nobody". There are: process, command, module, ${builtIns.map(({ name }) => name).join(', ')}.`,
      'hooks.processes.a.transport: unsupported transport, expected "stdio", got "http".',
      'hooks.processes.b.command: is missing: command is required.',
      'hooks.processes.c.intercept[0]: expected one of "before_llm"|"after_llm"|"before_tool"|"approve_tool"|"after_tool", got "before_tol". Did you mean "before_tool"?',
      'hooks.processes.d.timeout_ms: unknown key. There are: enabled, priority, transport, command, dir, env, observe, intercept.',
    ]);
  });
});

describe('settings of Claude Code', () => {
  const settings = {
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo ${CLAUDE_PROJECT_DIR}' }] }] },
  };

  it('becomes one hook, with unchanged variables', () => {
    const { config, issues } = read(settings);
    expect(issues).to.deep.equal([]);
    expect(config.hooks.map(({ entry }) => entry)).to.deep.equal([{ type: 'command', options: { settings } }]);
  });

  it('becomes two hooks from two files', () => {
    const at = written({ 'a.json': settings, 'b.json': settings });
    expect(Object.keys(loadConfig([at('a.json'), at('b.json')]).config.written.hooks ?? {})).to.deep.equal([
      'claude',
      'claude.2',
    ]);
  });

  it('is disabled by disableAllHooks', () => {
    expect(read({ ...settings, disableAllHooks: true }).config.hooks[0]?.entry.enabled).to.equal(false);
  });

  const handlers = [
    { type: 'command' },
    { type: 'command', command: 'x', timeout: '5' },
    { type: 'http', url: 'http://localhost/', headers: { authorization: 5 } },
    { type: 5 },
    { command: 'x' },
    { type: 'prompt', prompt: 'x' },
  ];
  const faultsOfHandlers = [
    '[0].hooks[0].command: is missing: expected string.',
    '[0].hooks[1].timeout: expected number, got "5".',
    '[0].hooks[2].headers.authorization: expected string, got a hidden value.',
    '[0].hooks[3].type: expected string, got 5.',
    '[0].hooks[4].type: is missing: expected string.',
    '[1].matcher: expected string, got 5.',
  ];
  const broken = { hooks: { PreToolUse: [{ hooks: handlers }, { matcher: 5, hooks: [] }] } };
  const places = (config: unknown) => shown(read(config)).map((issue) => issue.replace(/^c\.json:\d+:\d+ /, ''));

  it('reports each issue once, with its path', () => {
    expect(places(broken)).to.deep.equal(faultsOfHandlers.map((issue) => `hooks.PreToolUse${issue}`));
  });

  it('reports issues with their paths within a hook of type command', () => {
    const at = 'hooks.a.options.settings.hooks.PreToolUse';
    const config = { hooks: { a: { type: 'command', options: { settings: broken } } } };
    expect(places(config)).to.deep.equal(faultsOfHandlers.map((issue) => `${at}${issue}`));
  });

  const group = [{ hooks: [{ type: 'command', command: 'true' }] }];
  for (const [what, hooks, issue] of [
    ['event', { PreToolUze: group }, 'hooks.PreToolUze: unknown event; did you mean "PreToolUse"?'],
    [
      'event that is not supported',
      { PreCompakt: group },
      'hooks.PreCompakt: unknown event; did you mean "PreCompact"?',
    ],
    [
      'handler type',
      { PreToolUse: [{ hooks: [{ type: 'comand', command: 'true' }] }] },
      'hooks.PreToolUse[0].hooks[0].type: unknown type of handler; did you mean "command"?',
    ],
  ] as const) {
    it(`reports a misspelled ${what}, since its guard would never run`, () => {
      expect(places({ hooks })).to.deep.equal([issue]);
      const inline = { hooks: { a: { type: 'command', options: { settings: { hooks } } } } };
      expect(places(inline)).to.deep.equal([`hooks.a.options.settings.${issue}`]);
    });
  }

  it('may contain events and types of later versions that resemble no known name', () => {
    const hooks = { BudgetSpent: group, PreToolBatch: group, PreToolUse: [{ hooks: [{ type: 'wasm', url: 'x' }] }] };
    expect(places({ hooks })).to.deep.equal([]);
  });
});

describe('whole files of other hosts', () => {
  it('reports each setting next to the hooks', () => {
    const claude = read({ permissions: { allow: [] }, model: 'x', hooks: { Stop: [] } });
    expect(claude.issues).to.deep.equal([]);
    expect(claude.notices.map(({ line, path }) => [line, path.join('.')])).to.deep.equal([
      [2, 'permissions'],
      [5, 'model'],
    ]);
    const pico = read({ agents: {}, hooks: { enabled: true }, gateway: {} });
    expect(pico.issues).to.deep.equal([]);
    expect(pico.notices.map(({ path }) => path.join('.'))).to.deep.equal(['agents', 'gateway']);
  });

  it('is recognized without hooks', () => {
    expect(read({ permissions: {}, statusLine: {} }).issues).to.deep.equal([]);
    expect(read({ agents: {}, channels: {}, hooks: {} }).issues).to.deep.equal([]);
  });
});
