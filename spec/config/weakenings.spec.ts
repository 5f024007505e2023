import { expect } from 'chai';
import { formatPath, type HookEntry, hookEntrySchema, hookKinds, loadConfig } from 'hookline/config';
import { createCatalogue } from 'hookline/hooks';
import { z } from 'zod';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { written } from './read.ts';

type Options = Readonly<Record<string, unknown>>;

/** Options of the first file (default: the example), and of a later one: weakening and harmless ones. */
interface Says {
  readonly first?: Options;
  readonly looser: readonly Options[];
  readonly free: readonly Options[];
}

const limit = (of: string, max: number) => ({ of, max });
const schema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });

const says: Readonly<Record<string, Says>> = {
  'audit-log': {
    first: { file: 'audit.jsonl' },
    looser: [{ redact: false }, { args: false }, { file: '/dev/null' }, { results: true }, { level: 'trace' }],
    free: [{ redact: true }, { args: true }, { chain: true }],
  },
  'auto-context': {
    looser: [{ maxTokens: 200_000 }],
    free: [
      { maxTokens: 50_000 },
      { shrinkTo: 0.5 },
      { keepLast: 9 },
      { keepChars: 9 },
      { offload: false },
      { offloadFrom: 9_000 },
      { toolName: 'other' },
      { keepDays: 5 },
    ],
  },
  budget: {
    first: { limits: [limit('tokens', 100)] },
    looser: [{ limits: [limit('tokens', 101)] }, { limits: [limit('steps', 5)] }],
    free: [{ limits: [limit('tokens', 99)] }, { limits: [limit('steps', 5), limit('tokens', 100)] }],
  },
  'dangerous-confirmation': {
    first: { patterns: ['pay'] },
    looser: [{ patterns: [] }, { permissions: ['write'] }, { askBy: 'suspend' }],
    free: [{ patterns: ['pay', 'send'] }, { timeoutMs: 5 }, { permissions: ['write', 'external'] }],
  },
  judge: { looser: [{ timeoutMs: 5 }], free: [] },
  'long-term-memory': {
    first: { per: 'session' },
    looser: [{ per: 'user' }],
    free: [
      { limit: 9 },
      { maxTokens: 9 },
      { maxAgeMs: 9 },
      { maxChars: 9_000 },
      { maxMemoryChars: 900 },
      { waitMs: 9 },
    ],
  },
  'loop-guard': {
    first: { warnAt: 3, finishAt: 5, except: ['wait'], sameResult: false },
    looser: [
      { warnAt: 4 },
      { finishAt: 6 },
      { except: ['other'] },
      { sameResult: true },
      { counters: false },
      { cycle: 4 },
    ],
    free: [{ warnAt: 2 }, { finishAt: 4 }, { except: [] }, { sameResult: false }, { counters: true }, { cycle: 6 }],
  },
  'model-fallback': {
    looser: [{ models: ['b'] }],
    free: [{ on: ['failure'] }, { silenceMs: 9 }, { refusals: ['No'] }, { restMs: 9 }],
  },
  'model-retry': {
    looser: [],
    free: [{ attempts: 9 }, { on: ['timeout'] }, { errorTexts: ['busy'] }, { jitter: 0 }, { afterText: false }],
  },
  monitor: {
    first: { file: '/tmp/m.prom' },
    looser: [{ file: '/dev/null' }],
    free: [{ prices: {} }, { currency: 'EUR' }, { prometheus: true }, { prefix: 'x_' }, { maxLabelValues: 9 }],
  },
  otel: {
    first: { slowMs: 50, hooks: 'all' },
    looser: [{ redact: false }, { slowMs: 51 }, { hooks: 'off' }, { content: true }, { llmSpans: 'defer' }],
    free: [{ semconv: 'latest' }, { provider: 'x' }, { slowMs: 9 }, { redact: true }],
  },
  permission: {
    first: { deny: ['a'] },
    looser: [{ deny: [] }, { allow: ['b'] }, { default: 'allow' }],
    free: [{ deny: ['a', 'b'] }, { ask: ['c'] }, { default: 'deny' }, { timeoutMs: 9 }],
  },
  'plan-hint': {
    looser: [],
    free: [{ agents: ['a'] }, { begin: false }, { progress: false }, { every: 9 }, { afterErrors: false }],
  },
  'prompt-hint': {
    first: { hints: [{ text: 'a' }] },
    looser: [{ hints: [{ text: 'b' }] }],
    free: [{ hints: [{ text: 'a' }, { text: 'b' }] }],
  },
  rag: {
    first: { folder: 'docs' },
    looser: [{ folder: 'other' }, { include: ['*.md'] }],
    free: [
      { maxFiles: 9 },
      { maxFileBytes: 9 },
      { refreshMs: 9 },
      { limit: 9 },
      { minScore: 0.5 },
      { maxTokens: 9 },
      { waitMs: 9 },
    ],
  },
  'rate-limit': {
    first: { limits: [{ max: 5 }] },
    looser: [{ limits: [{ max: 6 }] }, { limits: [{ max: 5, windowMs: 9 }] }, { limits: [{ max: 1, per: ['run'] }] }],
    free: [{ limits: [{ max: 4 }] }, { limits: [{ max: 5 }, { max: 1, of: 'modelRequests' }] }],
  },
  recorder: {
    first: { folder: 'records' },
    looser: [{ redact: false }, { keep: 1 }, { maxBytes: 9 }, { chunks: false }, { trace: false }, { folder: 'other' }],
    free: [{ redact: true }, { keep: 1_000 }, { maxBytes: 60_000_000 }, { chunks: true }, { trace: true }],
  },
  'security-scan': {
    first: { policies: { text: 'block' } },
    looser: [{ policies: { text: 'report' } }, { policies: { toolInput: 'block' } }],
    free: [{ policies: { text: 'block', toolInput: 'block' } }],
  },
  skills: {
    first: { folders: ['skills'] },
    looser: [{ folders: ['other'] }],
    free: [{ toolName: 'other' }, { maxFileBytes: 9 }],
  },
  streaming: {
    looser: [{ file: '/dev/null' }, { parts: ['thinking'] }, { maxWaitingChars: 9 }],
    free: [{ mode: 'cumulative' }, { everyMs: 9 }, { chars: 9 }, { maxWaitingChars: 2_000_000 }, { flushMs: 9_000 }],
  },
  'structured-output': {
    first: { schema: schema('a') },
    looser: [{ schema: schema('b') }],
    free: [{ attempts: 5 }, { mode: 'prompt' }, { toolName: 'other' }],
  },
  timing: {
    looser: [{ slowMs: {} }, { hooks: false }],
    free: [{ hooks: true }, { samples: 9 }, { maxNames: 9 }],
  },
  todo: {
    first: { finishFirst: 1 },
    looser: [{ finishFirst: 0 }],
    free: [{ finishFirst: 2 }, { toolName: 'x' }, { remindAfter: 9 }],
  },
  'tool-cache': {
    first: { tools: ['a'], per: ['agent', 'user'] },
    looser: [{ per: ['agent'] }, { per: [] }, { per: ['user', 'session'] }, { tools: ['b'] }, { ttlMs: 400_000 }],
    free: [
      { per: ['user', 'agent', 'session'] },
      { ttlMs: 9 },
      { maxAnswers: 9 },
      { maxChars: 9_000_000 },
      { maxAnswerChars: 9 },
    ],
  },
  'tool-params': {
    first: { params: [{ tools: ['a'], add: { b: 1 } }] },
    looser: [{ params: [{ tools: ['a'], add: { b: 2 } }] }],
    free: [],
  },
  'tool-result-limit': {
    first: { limits: [{ tools: ['a'], maxChars: 900 }, { maxChars: 500 }] },
    looser: [
      { limits: [{ tools: ['a'], maxChars: 901 }, { maxChars: 500 }] },
      { limits: [{ tools: ['a'], maxChars: 900 }] },
      { limits: [{ maxChars: 500 }] },
    ],
    free: [{ limits: [{ tools: ['a'], maxChars: 800 }, { maxChars: 400 }] }],
  },
  'tool-retry': {
    first: { repeatable: ['a'] },
    looser: [{ repeatable: ['a', 'b'] }, { repeatable: ['*'] }],
    free: [
      { repeatable: [] },
      { attempts: 9 },
      { tools: ['a'] },
      { on: ['timeout'] },
      { errorTexts: ['x'] },
      { delayMs: 9 },
      { maxDelayMs: 9_000 },
      { jitter: 0 },
    ],
  },
  'tool-selection': {
    first: { rules: [{ offer: ['a'] }] },
    looser: [{ rules: [{ offer: ['b'] }] }, { order: 'name' }],
    free: [],
  },
  'tool-time-limit': {
    first: { limits: [{ ms: 50 }] },
    looser: [{ limits: [{ ms: 51 }] }, { limits: [{ tools: ['a'], ms: 50 }] }],
    free: [{ limits: [{ ms: 49 }] }, { limits: [{ ms: 50 }, { tools: ['a'], ms: 99 }] }],
  },
  webhook: {
    first: { url: '${HOOK_URL}', secret: '${HOOK_SECRET}' },
    looser: [
      { redact: false },
      { events: ['error'] },
      { url: 'http://localhost:9/' },
      { maxWaiting: 9 },
      { attempts: 1 },
    ],
    free: [
      { redact: true },
      { maxBatch: 5 },
      { batchMs: 5 },
      { maxWaiting: 20_000 },
      { maxEventChars: 200_000 },
      { attempts: 9 },
      { flushMs: 9_000 },
      { events: ['preCall', 'postReasoning', 'postActing', 'postCall', 'error', 'preActing'] },
    ],
  },
  'word-filter': {
    first: { words: ['a'] },
    looser: [{ words: ['b'] }],
    free: [
      { words: ['a', 'b'] },
      { label: 'x' },
      { mask: '#' },
      { files: ['more.txt'] },
      { prompts: 'block' },
      { answers: 'block' },
      { results: 'block' },
      { calls: 'block' },
    ],
  },
};

/** The paths at which a later file has no effect, and the effective configuration. */
function under(first: object, later: object) {
  const env = ['HOOK_URL', 'HOOK_SECRET'];
  const at = written({ '0.json': { env, hooks: { it: first } }, '1.json': { hooks: { it: later } } });
  const { config, notices, issues } = loadConfig([at('0.json'), at('1.json')], {
    env: { HOOK_URL: 'http://localhost/', HOOK_SECRET: 'x'.repeat(20) },
  });
  expect(issues.map(({ message }) => message)).to.deep.equal([]);
  const dropped = notices.filter(({ message }) => message.startsWith('has no effect'));
  return { places: dropped.map(({ path }) => formatPath(path)), it: config.written.hooks?.['it'], notices };
}

describe('a later file', () => {
  it('has rules for weakening options of every hook', () =>
    expect(Object.keys(says).sort()).to.deep.equal(builtIns.map(({ name }) => name).sort()));

  for (const { name, example = {}, optionsSchema, events, approves = events.includes('preActing') } of builtIns) {
    const told = says[name]!;
    const first = { type: name, options: told.first ?? example };
    for (const options of told.looser)
      it(`does not weaken ${name} with ${JSON.stringify(options)}, with a notice`, () => {
        const { places, it: hook, notices } = under(first, { options });
        expect(places).to.deep.equal(Object.keys(options).map((option) => `hooks.it.options.${option}`));
        expect(hook).to.deep.equal(first);
        expect(notices[0]?.message).to.match(approves ? /may deny fewer calls/ : /may withhold less/);
        expect(under({ ...first, weaker: true }, { options }).places).to.deep.equal([]);
      });
    for (const options of told.free)
      it(`may set ${JSON.stringify(options)} of ${name}`, () =>
        expect(under(first, { options }).places).to.deep.equal([]));

    const judged = new Set(told.free.flatMap((options) => Object.keys(options)));
    for (const option of optionsOf(optionsSchema).filter((one) => !judged.has(one)))
      it(`may not change ${option} of ${name}, because no rule covers it`, () => {
        const { places } = under(first, { options: { [option]: ['changed'] } });
        expect(places).to.deep.equal([`hooks.it.options.${option}`]);
      });
  }
});

/** Changed values of each field of an entry, from `before`. */
const members: Readonly<Record<keyof HookEntry, readonly object[]>> = {
  type: [{ type: 'timing', options: {} }],
  enabled: [{ enabled: false }],
  path: [{ path: './other.js' }],
  priority: [{ priority: 1 }, { priority: 900 }],
  phase: [{ phase: 'tool_skip' }],
  match: [{ match: { tools: ['nope'] } }, { match: { agents: ['a'] } }, { match: { permissions: ['read'] } }],
  onFailure: [{ onFailure: 'skip' }],
  timeoutMs: [{ timeoutMs: 1 }],
  options: [],
  weaker: [{ weaker: true }],
};

describe('a later file, for any kind of hook', () => {
  const kinds = [...hookKinds(createCatalogue(builtIns)).values()];

  it('has a rule for each field of an entry', () =>
    expect(Object.keys(members).sort()).to.deep.equal(Object.keys(hookEntrySchema.shape).sort()));

  for (const kind of kinds) {
    const options = { ...(kind.example ?? {}), ...says[kind.name]?.first };
    const first = {
      type: kind.name,
      onFailure: 'block',
      timeoutMs: 5_000,
      options,
      ...(kind.name === 'module' && { path: './a.js' }),
    };
    for (const [member, changes] of Object.entries(members))
      for (const change of changes) {
        // Other kinds have no path, and its issue is reported.
        if (member === 'path' && kind.name !== 'module') continue;
        if (member === 'type' && kind.name === 'timing') continue;
        it(`does not weaken ${kind.name} with ${JSON.stringify(change)}`, () => {
          const { places, it: hook } = under(first, change);
          const closed = member === 'timeoutMs' && kind.approves(first as HookEntry);
          if (closed) return expect(places).to.deep.equal([]);
          expect(places).to.include(`hooks.it.${member}`);
          return expect(hook).to.deep.equal(first);
        });
      }
  }
});

function optionsOf(schema: z.ZodType): readonly string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
}
