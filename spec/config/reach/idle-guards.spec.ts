import { expect } from 'chai';
import { formatPath } from 'hookline/config';
import { z } from 'zod';
import type { GuardedHost } from '../../../lib/config/reach/host-parts.ts';
import { hostNames, hostParts } from '../../../lib/config/reach/host-parts.ts';
import { idleGuards } from '../../../lib/config/reach/idle-guards.ts';
import { kindParts } from '../../../lib/config/reach/kind-parts.ts';
import { TOOL_OPTIONS } from '../../../lib/config/reach/named-tools.ts';
import { builtIns } from '../../../lib/hooks/built-ins.ts';
import { read } from '../read.ts';

const run: GuardedHost = {
  name: 'run',
  workspace: '/srv/project',
  agents: ['hookline'],
  tools: [
    { name: 'read_file', permission: 'read' },
    { name: 'write_file', permission: 'write' },
  ],
};

/** Notices of one hook, as `path: message`. */
function told(entry: object, host = run): string[] {
  const { config, issues } = read({ hooks: { it: entry } });
  expect(issues).to.deep.equal([]);
  return idleGuards(config.hooks, host).map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

const scan = (match: object) => ({ type: 'security-scan', match });
const rules = (deny: readonly unknown[]) => ({ type: 'permission', options: { deny } });

describe('the notice about a guard without effect in its host', () => {
  it('reports an unknown tool, with the nearest name', () => {
    expect(told(scan({ tools: ['write_flie', 'write_*'] }))).to.deep.equal([
      'hooks.it.match.tools[0]: matches no call: hookline run has no tool named "write_flie". Did you mean "write_file"?',
    ]);
    expect(told(scan({ tools: ['deploy'] }))[0]).to.match(/There are: read_file, write_file\.$/);
    expect(told(rules(['Write(a)', 'Edit', 'Raed(.env)', { tool: ['read_file', 'nope'] }]))).to.have.lengthOf(2);
    expect(told({ type: 'tool-time-limit', options: { limits: [{ tools: ['raed_file'], ms: 5 }] } })).to.have.lengthOf(
      1,
    );
    expect(told({ type: 'loop-guard', options: { except: ['read_fil'] } })).to.have.lengthOf(1);
  });

  it('reports a path out of reach of the tools', () => {
    expect(told(rules(['Read(//etc/**)']))).to.deep.equal([
      'hooks.it.options.deny[0]: "//etc/**" matches no call: the tools of hookline run can access only the workspace "/srv/project".',
    ]);
    expect(told(rules(['Read(../other/x)', 'Read(~/.ssh/**)', { path: 'outside' }]))).to.have.lengthOf(3);
    const within = [
      'Read(.env)',
      'Read(//srv/project/**)',
      'Read(//srv/**)',
      'Read(//**)',
      'Read(/src/**)',
      'Read(./a/**)',
    ];
    expect(told(rules([...within, { path: ['inside', 'src/**'] }]))).to.deep.equal([]);
    expect(told(rules(['Read(//etc/**)']), { name: 'claude' })).to.deep.equal([]);
  });

  it('reports a permission without tools, and an unknown agent name', () => {
    expect(told(scan({ permissions: ['external'] }))).to.deep.equal([
      'hooks.it.match.permissions: matches no call: no tool of hookline run has this permission (external).',
    ]);
    expect(told(scan({ agents: ['other'] }))).to.deep.equal([
      'hooks.it.match.agents: matches no run: the agent of hookline run is "hookline".',
    ]);
    expect(told(scan({ agents: ['*'], permissions: ['external', 'write'] }))).to.deep.equal([]);
  });

  it('reports a kind or option that requires a missing feature of the host', () => {
    expect(told({ type: 'loop-guard' }, { name: 'mcp' })).to.deep.equal([
      'hooks.it.type: has no effect in hookline mcp: loop-guard needs model requests, which this host does not pass to hooks.',
    ]);
    const limits = [
      { of: 'steps', max: 3 },
      { of: 'calls', max: 3 },
    ];
    expect(told({ type: 'budget', options: { limits } }, { name: 'mcp' })).to.have.lengthOf(1);
    expect(told({ type: 'budget', options: { limits } }, { name: 'claude' })).to.have.lengthOf(1);
    expect(told({ type: 'judge', options: { of: ['prompt'], criterion: 'x' } }, { name: 'mcp' })).to.have.lengthOf(1);
    const filter = { words: ['a'], prompts: 'block', answers: 'off' };
    expect(told({ type: 'word-filter', options: filter }, { name: 'mcp' })).to.have.lengthOf(1);
  });

  it('reports a rule for one of several equivalent tools, or with a falsely absolute path', () => {
    const rules = (options: object) => told({ type: 'permission', options }, { name: 'claude' });
    expect(rules({ deny: ['write_file(//etc/**)'] })).to.deep.equal([
      'hooks.it.options.deny[0]: matches only Write, but Edit, MultiEdit, NotebookEdit of Claude Code do the same. Use Edit(..) for all of them.',
    ]);
    for (const covered of [['Edit(//etc/**)'], ['Write(//etc/**)', 'Edit(//etc/**)'], ['Read(.env)']])
      expect(rules({ deny: covered })).to.deep.equal([]);
    expect(rules({ allow: ['Write(src/**)'] })).to.deep.equal([]);
    expect(rules({ deny: ['Edit(/etc/**)'] })).to.deep.equal([
      'hooks.it.options.deny[0]: "/etc/**" starts at the workspace, which has no etc. Use "//etc/**" for /etc of the machine.',
    ]);
    expect(rules({ deny: ['Edit(/lib/**)', 'Edit(/no-such-folder/**)', 'Edit(/*)'] })).to.deep.equal([]);
  });

  it('ignores disabled guards, and without a named host reports only probable typing errors', () => {
    expect(told({ ...scan({ tools: ['nope'] }), enabled: false })).to.deep.equal([]);
    const anywhere: GuardedHost = { name: 'run', typosOnly: true, tools: run.tools! };
    expect(told(scan({ tools: ['deploy', 'edit_file'], agents: ['other'] }), anywhere)).to.deep.equal([]);
    expect(told(scan({ tools: ['write_fil'] }), anywhere)).to.have.lengthOf(1);
  });

  it('covers every built-in kind, whose example has an effect in run', () => {
    expect(Object.keys(kindParts).sort()).to.deep.equal(builtIns.map(({ name }) => name).sort());
    for (const { name, example = {} } of builtIns) {
      const { config } = read({ hooks: { it: { type: name, options: example } } });
      expect(idleGuards(config.hooks, { name: 'run' }), name).to.deep.equal([]);
      for (const host of hostNames) {
        const works = kindParts[name]!.any.some((part) => hostParts[host].includes(part));
        const whole = idleGuards(config.hooks, { name: host }).some(({ path }) => path.at(-1) === 'type');
        expect(whole, `${name} in ${host}`).to.equal(!works);
      }
    }
  });

  it('covers every option of a built-in kind with tool names', () => {
    const listing = builtIns.flatMap(({ optionsSchema }) =>
      listedIn(z.toJSONSchema(optionsSchema, { io: 'input', unrepresentable: 'any' }))
        .filter(([, description]) => /\btools\b.*wildcards/i.test(description))
        .map(([option]) => option),
    );
    expect([...new Set(listing)]).to.have.members(TOOL_OPTIONS);
  });
});

/** Lists of texts in a JSON Schema, with their descriptions. */
function listedIn(schema: unknown): readonly (readonly [string, string])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const {
      type,
      items,
      description = '',
    } = (value ?? {}) as { type?: string; items?: { type?: string }; description?: string };
    const own = type === 'array' && items?.type === 'string' ? [[key, description] as const] : [];
    return [...own, ...listedIn(value)];
  });
}
