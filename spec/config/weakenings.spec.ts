import { expect } from 'chai';
import { loadConfig, showPath } from 'hookline/config';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { written } from './read.ts';

type Options = Readonly<Record<string, unknown>>;

/** Options of the first file (default: the example), and of a later one: those that loosen, and those that do not. */
interface Says {
  readonly first?: Options;
  readonly looser: readonly Options[];
  readonly free: readonly Options[];
}

const limit = (of: string, max: number) => ({ of, max });
const schema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const redacts: Says = { looser: [{ redact: false }], free: [{ redact: true }] };

/** `null`: no option loosens it. */
const says: Readonly<Record<string, Says | null>> = {
  'audit-log': { ...redacts, free: [{ redact: true }, { results: false }, { args: true }] },
  'auto-context': null,
  budget: {
    first: { limits: [limit('tokens', 100)] },
    looser: [{ limits: [limit('tokens', 101)] }, { limits: [limit('steps', 5)] }],
    free: [{ limits: [limit('tokens', 99)] }, { limits: [limit('steps', 5), limit('tokens', 100)] }],
  },
  'dangerous-confirmation': {
    first: { patterns: ['pay'] },
    looser: [{ patterns: [] }, { permissions: ['write'] }, { ask: 'suspend' }],
    free: [{ patterns: ['pay', 'send'] }, { timeoutMs: 5 }],
  },
  judge: { looser: [{ timeoutMs: 5 }], free: [] },
  'long-term-memory': {
    first: { per: 'session' },
    looser: [{ per: 'user' }],
    free: [{ limit: 9 }, { maxAgeMs: 9 }],
  },
  'loop-guard': {
    looser: [{ warnAt: 4 }, { finishAt: 6 }, { except: ['other'] }, { sameResult: true }],
    free: [{ warnAt: 2 }, { finishAt: 4 }],
  },
  'model-fallback': null,
  monitor: null,
  permission: { first: { deny: ['a'] }, looser: [{ deny: [] }, { allow: ['b'] }], free: [{ deny: ['a', 'b'] }] },
  'plan-hint': null,
  'prompt-hint': null,
  rag: null,
  'rate-limit': {
    first: { limits: [{ max: 5 }] },
    looser: [{ limits: [{ max: 6 }] }, { limits: [{ max: 5, windowMs: 9 }] }, { limits: [{ max: 1, per: ['run'] }] }],
    free: [{ limits: [{ max: 4 }] }, { limits: [{ max: 5 }, { max: 1, of: 'reasonings' }] }],
  },
  recorder: { first: { folder: 'records' }, ...redacts },
  'security-scan': {
    first: { policies: { text: 'block' } },
    looser: [{ policies: { text: 'report' } }, { policies: { toolInput: 'block' } }],
    free: [{ policies: { text: 'block', toolInput: 'block' } }],
  },
  skills: null,
  streaming: null,
  'structured-output': {
    first: { schema: schema('a') },
    looser: [{ schema: schema('b') }],
    free: [{ attempts: 5 }, { mode: 'prompt' }],
  },
  timing: null,
  todo: null,
  'tool-cache': {
    first: { tools: ['a'], per: ['agent', 'user'] },
    looser: [{ per: ['agent'] }, { per: [] }, { per: ['user', 'session'] }],
    free: [{ per: ['user', 'agent', 'session'] }, { ttlMs: 9 }, { tools: ['b'] }],
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
    free: [{ repeatable: [] }, { attempts: 9 }],
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
    ...redacts,
    free: [{ redact: true }, { maxBatch: 5 }, { events: ['error'] }],
  },
  'word-filter': { first: { words: ['a'] }, looser: [{ words: ['b'] }], free: [{ words: ['a', 'b'] }] },
};

/** The places at which a later file has no effect, and what is in force. */
function under(first: object, later: object) {
  const env = ['HOOK_URL', 'HOOK_SECRET'];
  const at = written({ '0.json': { env, hooks: { it: first } }, '1.json': { hooks: { it: later } } });
  const { config, notices, faults } = loadConfig([at('0.json'), at('1.json')], {
    env: { HOOK_URL: 'http://localhost/', HOOK_SECRET: 'x'.repeat(20) },
  });
  expect(faults.map(({ message }) => message)).to.deep.equal([]);
  const dropped = notices.filter(({ message }) => message.startsWith('has no effect'));
  return { places: dropped.map(({ path }) => showPath(path)), it: config.written.hooks?.['it'], notices };
}

describe('a later file', () => {
  it('is told by each hook that there is what of its options loosens it', () =>
    expect(Object.keys(says).sort()).to.deep.equal(builtIns.map(({ name }) => name).sort()));

  for (const { name, example = {}, weakens, events, approves = events.includes('preActing') } of builtIns) {
    const told = says[name];
    if (!told) {
      it(`may change what it likes of ${name}`, () => expect([weakens, approves]).to.deep.equal([undefined, false]));
      continue;
    }
    const first = { type: name, options: told.first ?? example };
    for (const options of told.looser)
      it(`does not loosen ${name} by ${JSON.stringify(options)}, and a notice says so`, () => {
        const { places, it: hook, notices } = under(first, { options });
        expect(places).to.deep.equal(Object.keys(options).map((option) => `hooks.it.options.${option}`));
        expect(hook).to.deep.equal(first);
        expect(notices[0]?.message).to.match(approves ? /might make it refuse less/ : /might make it hold less back/);
        expect(under({ ...first, weaker: true }, { options }).places).to.deep.equal([]);
      });
    for (const options of told.free)
      it(`may say of ${name} ${JSON.stringify(options)}`, () =>
        expect(under(first, { options }).places).to.deep.equal([]));
    if (approves) continue;
    it(`may switch off ${name}, or say where it applies, but not let others loosen it`, () => {
      expect(under(first, { enabled: false }).places).to.deep.equal([]);
      expect(under(first, { match: { agents: ['a'] } }).places).to.deep.equal([]);
      expect(under(first, { type: 'timing', options: {} }).places).to.deep.equal([]);
      expect(under(first, { weaker: true }).places).to.deep.equal(['hooks.it.weaker']);
    });
  }
});
