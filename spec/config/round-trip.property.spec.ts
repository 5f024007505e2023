import { expect } from 'chai';
import fc from 'fast-check';
import { formatIssue, type HookEntry, type NativeConfig } from 'hookline/config';
import { claudeHooks, entryOf, hookName, nativeConfig, options } from './random-config.ts';
import { again } from './read.ts';
import { type Style, writeText } from './write-text.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 20_000 : 60;
const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
const taken = new Map<string, number>();
const took = (branch: string): void => void taken.set(branch, (taken.get(branch) ?? 0) + 1);
const phases = ['pre_tool_use', 'post_tool_use', 'tool_error', 'tool_skip'] as const;

function hooksOf(text: string, name: string): NativeConfig {
  const { config, issues } = again(text, name, { SET: '0123456789abcdef' });
  expect(issues.map(formatIssue), text).to.deep.equal([]);
  return config.written;
}

/** The same data in three formats. */
function throughAll(data: unknown, expected: NativeConfig): void {
  for (const style of ['json', 'jsonc', 'yaml'] as Style[]) {
    expect(hooksOf(writeText(data, style).text, `c.${style}`), style).to.deep.equal(expected);
  }
}

/** Settings of built-ins in PicoClaw's format. */
const builtins = fc.uniqueArray(
  fc.constantFrom('audit-log', 'dangerous-confirmation', 'security-scan').chain((type) =>
    fc.record({
      type: fc.constant(type),
      under: fc.boolean(),
      on: fc.boolean(),
      priority: fc.integer({ min: -5, max: 5 }),
      config: fc.option(options[type]!),
    }),
  ),
  { selector: ({ type }) => type },
);
const processes = fc.uniqueArray(
  fc.record({
    name: fc
      .string({ minLength: 1, maxLength: 5 })
      .filter((name) => !/^\d+$/.test(name) && name !== '__proto__')
      .map((name) => `${name}p`),
    on: fc.boolean(),
    priority: fc.integer({ min: -2, max: 2 }),
    dir: fc.constantFrom('', 'work'),
    observe: fc.constantFrom([], ['*']),
    intercept: fc.constantFrom(['before_tool'], ['after_llm', 'before_llm']),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);

const handler = fc
  .constantFrom('audit-log', 'dangerous-confirmation', 'security-scan')
  .chain((type) => fc.record({ entry: entryOf(type), under: fc.boolean(), upper: fc.boolean() }));

describe('a random valid configuration', () => {
  before(() => console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`));
  after(() => {
    const missed = [
      'process',
      'command',
      'module',
      'off',
      'phase',
      'match',
      'pico on',
      'pico off',
      'wrapped',
      'bare',
      'upper',
      'claude',
    ].filter((branch) => !taken.has(branch));
    expect(missed, 'branches that were never taken').to.deep.equal([]);
  });

  it(`has the same value in JSON, JSON with comments and YAML, ${RUNS} times`, function () {
    this.timeout(0);
    fc.assert(
      fc.property(nativeConfig, (config) => {
        for (const { type, enabled, phase, match } of Object.values(config.hooks ?? {})) {
          took(type!);
          if (enabled === false) took('off');
          if (phase) took('phase');
          if (match) took('match');
        }
        const { version: _, ...expected } = config;
        throughAll(config, expected);
      }),
      { numRuns: RUNS, seed },
    );
  });

  it(`of built-ins and processes can have PicoClaw's format, ${RUNS} times`, function () {
    this.timeout(0);
    fc.assert(
      fc.property(builtins, processes, fc.boolean(), fc.constantFrom(0, 7), (ours, theirs, allOn, ms) => {
        took(allOn ? 'pico on' : 'pico off');
        const named = ours.map((one) => ({ ...one, name: one.under ? one.type.replaceAll('-', '_') : one.type }));
        const data = {
          hooks: {
            enabled: allOn,
            defaults: { approval_timeout_ms: ms },
            builtins: Object.fromEntries(
              named.map(({ name, on, priority, config }) => [name, { enabled: on, priority, config }]),
            ),
            processes: Object.fromEntries(
              theirs.map(({ name, on, ...rest }) => [name, { enabled: on, command: ['x'], ...rest }]),
            ),
          },
        };
        const off = (on: boolean) => !(on && allOn) && { enabled: false };
        const timeouts = ms > 0 && { timeouts: { approvalMs: ms } };
        const inOrder = <T extends { name: string; on: boolean; priority: number }>(
          list: readonly T[],
          entry: (one: T) => HookEntry,
        ) =>
          list
            .toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
            .map((one) => [one.name, entry(one)] as const);
        const expected = [
          ...inOrder(named, ({ type, on, priority, config }) => ({
            type,
            ...off(on),
            priority: on ? priority : 0,
            ...(on && config && { options: config as never }),
          })),
          ...inOrder(theirs, ({ on, priority, dir, observe, intercept }) => ({
            type: 'process',
            ...off(on),
            priority,
            options: {
              command: ['x'],
              ...(dir && { dir }),
              ...(observe.length > 0 && { observe: [...observe] }),
              intercept: [...intercept],
              ...timeouts,
            },
          })),
        ];
        throughAll(data, { hooks: Object.fromEntries(expected) });
      }),
      { numRuns: RUNS, seed },
    );
  });

  it(`of hooks with phases can have the format of the JARVIS plan, ${RUNS} times`, function () {
    this.timeout(0);
    const lists = fc.record(
      Object.fromEntries(
        phases.map((phase) => [
          phase,
          fc.record({ on: fc.option(fc.boolean(), { nil: undefined }), handlers: fc.array(handler, { maxLength: 3 }) }),
        ]),
      ),
    );
    fc.assert(
      fc.property(lists, fc.boolean(), fc.boolean(), (all, wrapped, enabled) => {
        took(wrapped ? 'wrapped' : 'bare');
        const expected: Record<string, HookEntry> = {};
        const inner = Object.fromEntries(
          phases.map((phase) => {
            const { on, handlers } = all[phase]!;
            const counts = new Map<string, number>();
            const list = handlers.map(({ entry: { type = '', enabled: own, match, options: given }, under, upper }) => {
              const nth = (counts.get(type) ?? 0) + 1;
              counts.set(type, nth);
              const filled = match && Object.keys(match).length > 0;
              expected[nth === 1 ? `${phase}.${type}` : `${phase}.${type}.${nth}`] = {
                type,
                ...((!enabled || on === false || own === false) && { enabled: false }),
                priority: 100,
                phase,
                ...(filled && { match }),
                ...(given && { options: given }),
              };
              if (upper && match?.permissions?.length) took('upper');
              const permissions = match?.permissions?.map((one) => (upper ? one.toUpperCase() : one));
              const filter = filled ? { ...match, ...(permissions && { permissions }) } : null;
              return {
                type: under ? type.replaceAll('-', '_') : type,
                ...(own !== undefined && { enabled: own }),
                filter,
                ...(given && { options: given }),
              };
            });
            return [phase, { ...(on !== undefined && { enabled: on }), handlers: list }];
          }),
        );
        throughAll(wrapped ? { enabled, hooks: inner } : { enabled, ...inner }, { hooks: expected });
      }),
      { numRuns: RUNS, seed },
    );
  });

  it(`of one command hook can be settings of Claude Code, ${RUNS} times`, function () {
    this.timeout(0);
    fc.assert(
      fc.property(
        claudeHooks.filter((hooks) => Object.keys(hooks).length > 0),
        fc.boolean(),
        hookName,
        (hooks, off, other) => {
          took('claude');
          const beside = other === 'hooks' || other === 'disableAllHooks' || other.includes('_') ? {} : { [other]: 1 };
          const claude = { type: 'command', ...(off && { enabled: false }), options: { settings: { hooks } } };
          throughAll({ ...beside, disableAllHooks: off, hooks }, { hooks: { claude } } as NativeConfig);
        },
      ),
      { numRuns: RUNS, seed },
    );
  });
});
