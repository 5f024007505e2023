import { expect } from 'chai';
import { defineHook, deny, verdict } from 'hookline';
import { builtIns, type CatalogueEntry, defineCatalogueEntry } from 'hookline/hooks';
import { kindContract } from 'hookline/testing';
import { z } from 'zod';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { neededOptions } from '../hooks/needed-options.ts';

const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

const good = defineCatalogueEntry({
  name: 'call-limit',
  description: 'Denies calls after some.',
  events: ['preActing'],
  optionsSchema: z.strictObject({ max: z.int().positive().default(1).describe('Calls.') }),
  example: { max: 3 },
  weakens: (before, after) => after.max > before.max,
  create: ({ max }) =>
    defineHook({ name: 'call-limit', on: { preActing: (event) => (max > 1 ? undefined : deny(event, 'no')) } }),
});

/** The issues of the entry with other fields. */
async function issuesOf(change: object): Promise<readonly string[]> {
  try {
    const { issues } = await kindContract({ ...good, ...change } as CatalogueEntry);
    return issues.map(({ where }) => where);
  } catch (thrown) {
    const { report, message } = thrown as {
      message: string;
      report?: { issues: readonly { where: string; issue: string }[] };
    };
    if (!report) throw thrown;
    for (const { where, issue } of report.issues) expect(message).to.include(`${where} ${issue}`);
    return report.issues.map(({ where, issue }) => `${where}: ${issue}`);
  }
}

describe('kindContract', () => {
  it('accepts a kind that keeps it', async () => {
    expect(await kindContract(good)).to.deep.equal({ kind: 'call-limit', issues: [] });
  });

  const unkept: readonly [what: string, change: object, issue: RegExp][] = [
    [
      'options that accept typos',
      { optionsSchema: z.object({ max: z.number().default(1).describe('Calls.') }) },
      /^optionsSchema: accepts unknown/,
    ],
    [
      'an option without a description',
      { optionsSchema: z.strictObject({ max: z.number().default(1) }) },
      /^optionsSchema.max: has no description/,
    ],
    ['an invalid example', { example: { max: 0 } }, /^example: is invalid: .*max/],
    ['an example that no file can contain', { example: { max: 3, when: () => true } }, /^example: is not JSON/],
    ['weakens that is true for no change', { weakens: () => true }, /^weakens: says that unchanged/],
    ['weakens that fails', { weakens: () => JSON.parse('{') }, /^weakens: fails: /],
    ['an event that it does not list', { events: ['preCall'], approves: true }, /^events: does not list preActing/],
    [
      'an approver that later files could remove',
      { approves: false, create: () => defineHook({ name: 'x', approve: () => verdict.deny('no') }) },
      /^approves: is false/,
    ],
    ['a factory that fails', { create: () => JSON.parse('{') }, /^create: fails with the example/],
    [
      'a hook that breaks the contract of hooks',
      { create: () => defineHook({ name: 'x', on: { preActing: () => ({}) as never } }) },
      /^on.preActing: /,
    ],
  ];
  for (const [what, change, issue] of unkept)
    it(`reports ${what}`, async () => {
      expect((await issuesOf(change)).filter((one) => issue.test(one))).not.to.be.empty;
    });

  const one = z.strictObject({ max: z.int().describe('Calls.') });
  const other = z.strictObject({ tools: z.array(z.string()).describe('Names.') });

  it('accepts options of several shapes, if none accepts typos', async () => {
    expect(await issuesOf({ optionsSchema: z.union([one, other]) })).to.deep.equal([]);
    expect(await issuesOf({ optionsSchema: z.union([one, z.looseObject(other.shape)]) })).to.deep.equal([
      'optionsSchema: accepts unknown options, so a typo has no effect. Use z.strictObject().',
    ]);
    expect(await issuesOf({ optionsSchema: z.union([one, z.strictObject({ tools: z.string() })]) })).to.deep.equal([
      'optionsSchema.tools: has no description for editors. Use .describe().',
    ]);
  });

  it('accepts an option that is described elsewhere in the schema', async () => {
    const max = z.int().meta({ id: 'max', description: 'Calls.' });
    expect(await issuesOf({ optionsSchema: z.strictObject({ max }) })).to.deep.equal([]);
    const bare = z.int().meta({ id: 'bare' });
    expect(await issuesOf({ optionsSchema: z.strictObject({ max: bare }) })).to.deep.equal([
      'optionsSchema.max: has no description for editors. Use .describe().',
    ]);
  });

  it('reports an asynchronous schema', async () => {
    expect(await issuesOf({ optionsSchema: one.refine(async () => true) })).to.include(
      'optionsSchema: fails: Encountered Promise during synchronous parse. Use .parseAsync() instead.',
    );
  });

  it('rejects something else than a kind', async () => {
    const thrown = await kindContract({ name: 'x' } as never).catch((error) => error);
    expect(thrown).to.include({ code: 'HOOK_INVALID' });
  });

  // The contract of hooks takes seconds for these, and they run it in their own specs.
  const slow = SOAK ? [] : ['rag', 'recorder', 'security-scan', 'webhook'];
  for (const entry of builtIns.filter(({ name }) => !slow.includes(name)))
    it(`holds for ${entry.name}`, async () => {
      const example = neededOptions[entry.name] as never;
      const options = { host: { store: memoryStateStore() } };
      const { issues } = await kindContract({ ...entry, example }, options).catch(({ report }) => report);
      // These two need answers and clients that the contract of hooks does not have.
      const own = ['streaming', 'structured-output'].includes(entry.name) ? /^(?!on|observe|around)/ : /./;
      expect(issues.filter(({ where }: { where: string }) => own.test(where))).to.deep.equal([]);
    });
});
