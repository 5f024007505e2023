import { expect } from 'chai';
import fc from 'fast-check';
import {
  createLiveHooks,
  explainCall,
  formatIssue,
  type HookEntry,
  hookKinds,
  type LoadedConfig,
  loadConfig,
} from 'hookline/config';
import { builtIns, createCatalogue } from 'hookline/hooks';
import { compileConfig } from '../../../lib/config/compile-config.ts';
import type { Findings } from '../../../lib/config/dialects/dialect.ts';
import { hideSecrets } from '../../../lib/config/layers/hidden.ts';
import { readLayer } from '../../../lib/config/layers/read-layer.ts';
import { parseSource } from '../../../lib/config/source/parse-source.ts';
import { entryOf } from '../random-config.ts';
import { written } from '../read.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 10_000 : 60;
const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2_147_483_647);
const taken = new Map<string, number>();
const took = (branch: string): void => void taken.set(branch, (taken.get(branch) ?? 0) + 1);
const kinds = hookKinds(createCatalogue(builtIns));

const names = ['guard', 'scan', 'ask', 'log', 'spare', 'own'] as const;
/** Valid and invalid entries of files and layers. */
const said = fc
  .dictionary(
    fc.constantFrom(...names),
    fc.oneof(
      entryOf('audit-log', 'dangerous-confirmation', 'security-scan'),
      entryOf('process', 'command', 'module'),
      entryOf('dangerous-confirmation', 'security-scan', 'process').map(({ type, ...rest }) => rest),
      fc.constantFrom<HookEntry>(
        { enabled: false },
        { enabled: true },
        { match: { tools: [] } },
        { onFailure: 'block' },
        { options: { intercept: [] } },
        { options: { permissions: [] } },
        { options: { patterns: [] } },
        { options: { policies: { toolInput: 'off' } } },
        { options: { policies: { text: 'block' } } },
        { options: { policies: { text: 'block', toolInput: 'block' } } },
        { options: { rules: ['personal'] } },
        { options: { without: ['credential'] } },
        { weaker: true },
      ),
    ),
    { minKeys: 1, maxKeys: 4 },
  )
  .map((hooks) => JSON.parse(JSON.stringify({ hooks }).replaceAll('${SET}', '0123456789abcdef')));
/** Entries that are always valid, because few of the others are. */
const fitting = fc
  .dictionary(
    fc.constantFrom('own', 'other', 'third'),
    fc.record(
      {
        type: fc.constantFrom('audit-log', 'dangerous-confirmation', 'security-scan'),
        enabled: fc.boolean(),
        priority: fc.integer({ min: -10, max: 1_000 }),
        phase: fc.constant('pre_tool_use'),
      },
      { requiredKeys: ['type'] },
    ),
    { minKeys: 1 },
  )
  .map((hooks) => ({ hooks: { ...hooks, spare: { enabled: true } } }));
const layers = fc.oneof(
  fitting,
  said,
  said.map((config) => ({ ...config, model: 'offline' })),
  said.map(({ hooks }) => ({ pre_tool_use: { handlers: Object.values(hooks) } })),
  said.map((config) => JSON.parse(JSON.stringify(config).replace('"0123456789abcdef"', '"${SET}"'))),
);

const base = {
  env: ['SET'],
  hooks: {
    guard: { type: 'dangerous-confirmation', options: { askBy: 'suspend', patterns: ['wipe'] } },
    scan: { type: 'security-scan', options: { policies: { toolInput: 'block' } } },
    ask: { type: 'process', options: { command: ['x'], intercept: ['approve_tool'] } },
    log: { type: 'audit-log' },
    spare: { type: 'security-scan', enabled: false },
    plugin: { type: 'process', enabled: false, options: { command: ['x'], observe: ['*'] } },
  },
};

const calls = [
  { tool: 'write_file', input: { text: 'wipe it' } },
  { tool: 'write_file', input: { command: 'rm -rf /' } },
  { tool: 'read', permission: 'read' as const, input: { key: `AKIA${'ABCDEFGH23456777'}` } },
  { tool: 'x', input: {} },
];
const strictness = ['proceed', 'respond', 'fail', 'ask', 'deny', 'abort'];

describe('files over a configuration', () => {
  before(() => console.log(`      seed ${seed} (HOOKLINE_SEED=${seed} runs the same again)`));
  const catalogue = createCatalogue(builtIns);
  /** Tests each approver alone, because another one may first remove a secret from the call. */
  const judged = async ({ config }: Pick<LoadedConfig, 'config'>) => {
    const hooks = config.hooks.filter(({ name }) => name === 'guard' || name === 'scan');
    const made = hooks.map(({ kind, entry }) => catalogue.create(kind.name, entry.options));
    const decisions = made.map((hook) => Promise.all(calls.map((call) => explainCall([hook], call))));
    return (await Promise.all(decisions)).flat().map(({ decision }) => strictness.indexOf(decision.action));
  };

  it(`never removes an approver and never permits more, ${RUNS} times`, async function () {
    this.timeout(0);
    const at = written({ '0.json': base });
    const first = await judged(loadConfig([at('0.json')], { env: {} }));
    expect(first).to.include.members([strictness.indexOf('ask'), strictness.indexOf('deny')]);
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 2 }), async (later) => {
        const files = later.map((config, index) => written({ [`${index}.json`]: config })(`${index}.json`));
        const { config, issues, notices } = loadConfig([at('0.json'), ...files], { env: {} });
        if (issues.length > 0) return took('refused');
        took(notices.length > 0 ? 'merged in part' : 'merged');
        for (const name of ['guard', 'scan', 'ask'] as const) {
          const { type, options } = base.hooks[name];
          const now = config.written.hooks?.[name];
          expect(now, name).to.include({ type }).and.not.include({ enabled: false });
          expect(now, name).not.to.have.any.keys('match', 'phase', 'path', 'weaker');
          if ('intercept' in options) expect(now?.options?.['intercept']).to.include('approve_tool');
        }
        const now = await judged({ config }).catch(() => undefined);
        if (!now) return took('not made');
        for (const [index, before] of first.entries()) expect(now[index], JSON.stringify(later)).to.be.at.least(before);
      }),
      // Few random files merge as a whole.
      { numRuns: RUNS, seed, examples: [[[{}]]] },
    );
    expect([...taken.keys()]).to.include.members(['refused', 'merged', 'merged in part']);
  });
});

describe('layers over a configuration', () => {
  it(`never permits more, and adds no command, module, variable or local option, ${RUNS} times`, async function () {
    this.timeout(0);
    const { ask: _, plugin, ...hooks } = base.hooks;
    const file = written({ 'c.json': { ...base, hooks: { ...hooks, plugin } } })('c.json');
    const live = await createLiveHooks({ files: [file], env: { SET: 'x' } });
    const decide = async (over: readonly NonNullable<ReturnType<typeof readLayer>>[]) => {
      const lease = await live.lease(over);
      const explained = await Promise.all(calls.map((call) => explainCall(lease.pipeline.hooks, call)));
      lease.release();
      return { explained, hooks: lease.pipeline.hooks };
    };
    const before = await decide([]);
    try {
      await fc.assert(
        fc.asyncProperty(layers, async (config) => {
          const findings: Findings = { issues: [], notices: [] };
          const source = parseSource('body', JSON.stringify(config), findings.issues, '.json');
          const layer = readLayer(source, { config: live.config, kinds }, findings);
          const compiled = layer && findings.issues.length === 0 && live.compile([layer], findings);
          if (!layer || !compiled || findings.issues.length > 0)
            return took(`layer refused ${findings.issues.some(({ message }) => message.includes('only'))}`);
          took('layer laid');
          for (const { name, kind, entry, written: now } of compiled.hooks) {
            const own = base.hooks[name as keyof typeof base.hooks] as HookEntry | undefined;
            if (kind.origin === 'file') expect(entry.options?.['command']).to.deep.equal(own?.options?.['command']);
            expect(entry.path).to.equal(undefined);
            if (!own)
              expect(Object.keys(entry.options ?? {})).not.to.include.oneOf(['file', 'environment', 'command', 'dir']);
            expect(JSON.stringify(now)).not.to.match(/(?<!\$)\$\{SET\}/);
          }
          const after = await decide([layer]).catch(
            (thrown) => expect(thrown).to.have.property('code', 'CONFIG_INVALID') && undefined,
          );
          if (!after) return took('layer not made');
          for (const { name } of before.hooks) expect(after.hooks.map((hook) => hook.name)).to.include(name);
          for (const [index, { decision, toolCall }] of before.explained.entries()) {
            const now = after.explained[index]!;
            // A layer may remove secrets from a call. Then another call is evaluated.
            if (JSON.stringify(now.toolCall) !== JSON.stringify(toolCall)) took('call changed');
            else
              expect(strictness.indexOf(now.decision.action), JSON.stringify(config)).to.be.at.least(
                strictness.indexOf(decision.action),
              );
          }
        }),
        { numRuns: RUNS, seed },
      );
    } finally {
      await live.close();
    }
    expect(before.explained.map(({ decision }) => decision.action)).to.include.members(['ask', 'deny', 'proceed']);
    expect([...taken.keys()]).to.include.members(['layer laid', 'layer refused true']);
  });
});

describe('secrets of a configuration', () => {
  const SECRET = 'quiet-harbour-seven';
  const secrets: readonly (readonly [string, object, readonly string[]])[] = [
    ['audit-log', { file: 'f', chain: true, chainKey: SECRET }, ['chainKey']],
    ['security-scan', { key: SECRET, mode: 'hash' }, ['key']],
    ['security-scan', { known: [{ label: 'l', value: SECRET }] }, ['known']],
    ['process', { command: ['x'], observe: ['*'], env: { A: SECRET } }, ['env']],
    ['command', { settings: 'f', env: { A: SECRET } }, ['env']],
    [
      'command',
      {
        settings: {
          hooks: { Stop: [{ hooks: [{ type: 'http', url: 'http://localhost', headers: { 'X-A': SECRET } }] }] },
        },
      },
      ['settings'],
    ],
  ];
  const wrongs = [[SECRET], { a: SECRET }, [[SECRET]], { label: SECRET }, SECRET, 5];

  it(`hides them in issues and valid parts, in any format, typed or not, ${RUNS} times`, function () {
    this.timeout(0);
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets),
        fc.option(fc.constantFrom(...wrongs), { freq: 2 }),
        fc.boolean(),
        fc.boolean(),
        ([type, options, [place = '']], wrong, typed, jarvis) => {
          const given = wrong === null ? options : { ...options, [place]: wrong };
          const entry = { ...(typed && { type }), options: given };
          const findings: Findings = { issues: [], notices: [] };
          const config = jarvis ? { pre_tool_use: { handlers: [{ type, options: given }] } } : { hooks: { h: entry } };
          const source = parseSource('body', JSON.stringify(config), findings.issues, '.json');
          const file = readLayer(source, { config: compileConfig([], kinds, {}, findings), kinds }, findings)!;
          compileConfig([file], kinds, {}, findings);
          took(`${typed} ${jarvis} ${findings.issues.length > 0} ${wrong === null}`);
          expect(findings.issues.map(formatIssue).join('\n')).not.to.include(SECRET);
          // An invalid layer is not saved, so it is never shown.
          if (wrong !== null) return;
          const hidden = JSON.stringify(hideSecrets(file, kinds));
          expect(hidden).not.to.include(SECRET);
          expect(hidden).to.include('[hidden]');
        },
      ),
      { numRuns: RUNS * 4, seed },
    );
    expect([...taken.keys()]).to.include.members([
      'true false true false',
      'false false true true',
      'true true false true',
    ]);
  });
});
