import { expect } from 'chai';
import { z } from 'zod';
import { HooklineError } from '../../lib/errors.ts';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { type CatalogueEntry, createCatalogue, defineCatalogueEntry } from '../../lib/hooks/catalogue.ts';
import { requirePart } from '../../lib/hooks/hook-host.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { neededOptions } from './needed-options.ts';

const shout = defineCatalogueEntry({
  name: 'shout',
  description: 'Says everything louder.',
  events: ['postReasoning'],
  optionsSchema: z.strictObject({ times: z.int().positive().default(1), mark: z.string().default('!') }),
  create: ({ times, mark }) =>
    defineHook({ name: 'shout', description: mark.repeat(times), on: { postReasoning: () => undefined } }),
});

describe('createCatalogue', () => {
  const catalogue = createCatalogue([...builtIns, shout]);

  it('lists its entries in the order given', () => {
    expect(catalogue.names).to.deep.equal([
      'audit-log',
      'auto-context',
      'budget',
      'dangerous-confirmation',
      'judge',
      'long-term-memory',
      'loop-guard',
      'model-fallback',
      'model-retry',
      'monitor',
      'otel',
      'permission',
      'plan-hint',
      'prompt-hint',
      'rag',
      'rate-limit',
      'recorder',
      'security-scan',
      'skills',
      'streaming',
      'structured-output',
      'timing',
      'todo',
      'tool-cache',
      'tool-params',
      'tool-result-limit',
      'tool-retry',
      'tool-selection',
      'tool-time-limit',
      'webhook',
      'word-filter',
      'shout',
    ]);
    expect(catalogue.entries.map(({ name }) => name)).to.deep.equal(catalogue.names);
    expect(catalogue.get('shout')).to.equal(shout);
  });

  it('would accept the built-in entries, which it does not check', () => {
    expect(() => createCatalogue(builtIns.map((entry) => ({ ...entry })))).not.to.throw();
  });

  it('creates a hook by name with the defaults of its schema', () => {
    expect(catalogue.create('shout').description).to.equal('!');
    expect(catalogue.create('shout', { times: 3 }).description).to.equal('!!!');
  });

  it('passes parts of the host and reports missing ones', () => {
    const counting = defineCatalogueEntry({
      name: 'counting',
      description: 'Counts.',
      events: ['preCall'],
      optionsSchema: z.strictObject({}),
      create: (_, host) =>
        defineHook({
          name: 'counting',
          description: requirePart(host, 'store', 'counting') === store ? 'with the store' : 'with another',
          on: { preCall: () => undefined },
        }),
    });
    const store = memoryStateStore();
    const { create } = createCatalogue([counting]);
    expect(create('counting', {}, { store }).description).to.equal('with the store');
    expect(() => create('counting'))
      .to.throw(HooklineError, 'The hook "counting" needs a store, such as memoryStateStore()')
      .with.property('code', 'OPTIONS_INVALID');
  });

  it('rejects a duplicate name', () => {
    expect(() => createCatalogue([...builtIns, shout, { ...shout }]))
      .to.throw(HooklineError, 'two entries named "shout"')
      .with.property('code', 'HOOK_DUPLICATE');
  });

  it('suggests the nearest entry for a likely typing error, else lists all', () => {
    for (const [wrong, right] of [
      ['audit_log', 'audit-log'],
      ['AuditLog', 'audit-log'],
      ['dangerous-confirmaton', 'dangerous-confirmation'],
      ['shuot', 'shout'],
      ['anything', ''],
    ] as const) {
      const message = right ? `no hook named "${wrong}". Did you mean "${right}"?` : 'There are: audit-log,';
      expect(() => catalogue.create(wrong))
        .to.throw(HooklineError, message)
        .with.property('code', 'INPUT_INVALID');
    }
    expect(() => catalogue.get('constructor')).to.throw(
      HooklineError,
      `There are: ${[...builtIns, shout].map(({ name }) => name).join(', ')}.`,
    );
  });

  it('lists every validation issue of the options with its path in one error', () => {
    expect(() => catalogue.create('shout', { times: 0, mark: 1, loud: true }))
      .to.throw(HooklineError, /hook "shout"[\s\S]*\n {2}times: .*\n {2}mark: .*\n {2}\(options\): .*"loud"/)
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => catalogue.create('shout', 'loud'))
      .to.throw(HooklineError)
      .with.property('code', 'OPTIONS_INVALID');
  });

  it('rejects an entry of a wrong shape', () => {
    const wrong = { ...shout, events: ['postReason'], create: 1 } as unknown as CatalogueEntry;
    expect(() => createCatalogue([wrong]))
      .to.throw(HooklineError, /"shout"[\s\S]*create[\s\S]*events\[0\]/)
      .with.property('code', 'HOOK_INVALID');
    expect(() => createCatalogue([null as unknown as CatalogueEntry])).to.throw(HooklineError, 'without a name');
  });

  it('rejects an entry that does not create a hook', () => {
    const wrong = createCatalogue([{ ...shout, create: () => ({ name: 'shout' }) as never }]);
    expect(() => wrong.create('shout'))
      .to.throw(HooklineError, 'defineHook')
      .with.property('code', 'HOOK_INVALID');
  });
});

describe('builtIns', () => {
  for (const entry of builtIns) {
    it(`creates ${entry.name} under its own name, without options unless some are required`, () => {
      const hook = createCatalogue(builtIns).create(entry.name, neededOptions[entry.name], {
        store: memoryStateStore(),
      });
      expect(hook.name).to.equal(entry.name);
    });

    it(`describes the options of ${entry.name} as JSON Schema`, () => {
      const schema = z.toJSONSchema(entry.optionsSchema, { io: 'input', unrepresentable: 'any' });
      expect(schema).to.include({ type: 'object', additionalProperties: false });
      for (const [name, option] of Object.entries(schema.properties ?? {})) {
        expect(option, name).to.have.property('description');
      }
    });
  }

  it('creates hooks from JSON options', () => {
    const catalogue = createCatalogue(builtIns);
    const options = JSON.parse('{"name":"ask","askBy":"suspend","patterns":["mkfs"],"timeoutMs":1000}');
    expect(catalogue.create('dangerous-confirmation', options)).to.include({ name: 'ask', timeoutMs: 2_000 });
    const scan = JSON.parse(
      '{"name":"scan","policies":{"prompt":"block"},"rules":["credential"],"known":[{"label":"x","value":"123456"}]}',
    );
    expect(catalogue.create('security-scan', scan)).to.include({ name: 'scan' });
  });
});
