import { expect } from 'chai';
import { knownOptions, type OptionsPlace, refusedOptions } from '../../../lib/adapters/ai-sdk/loop/known-options.ts';
import { fieldsOf } from '../members-of.ts';

/** The types of each place, in the versions that have it. */
const AGENT = 'InstanceType<typeof host.ToolLoopAgent<any, any>>';
const types = (agents: boolean): Readonly<Record<string, string>> => ({
  'a call': 'Parameters<typeof host.generateText<any>>[0] | Parameters<typeof host.streamText<any>>[0]',
  'what prepareStep returns': 'host.PrepareStepResult<any>',
  'a tool': 'host.Tool',
  ...(agents && {
    'settings of an agent': 'ConstructorParameters<typeof host.ToolLoopAgent<any, any>>[0]',
    'a call of an agent': `Parameters<${AGENT}['generate' | 'stream']>[0]`,
  }),
});

describe('the known options of the AI SDK', () => {
  const packages = [
    [5, 'ai5', false],
    [5, 'ai5latest', false],
    [6, 'ai6', true],
    [6, 'ai6latest', true],
    [7, 'ai7', true],
  ] as const;
  const found = packages.map(([version, name, agents]) => ({ version, members: fieldsOf(name, types(agents)) }));
  const places = Object.keys(knownOptions) as OptionsPlace[];
  type Rows = readonly (readonly [use: string, versions: readonly number[], ...names: string[]])[];

  for (const place of places)
    it(`include all of ${place} that can be functions`, () => {
      const known: Rows = knownOptions[place];
      const refused = Object.keys(refusedOptions[place] ?? {});
      for (const { version, members } of found)
        for (const [name, calls] of members[place] ?? []) {
          const listed = known.some(([, versions, ...names]) => versions.includes(version) && names.includes(name));
          if (calls) expect(listed || refused.includes(name), `${name} of version ${version}`).to.equal(true);
        }
    });

  it('include nothing that no SDK version has', () => {
    const had = new Set(found.flatMap(({ members }) => Object.values(members).flatMap((names) => [...names.keys()])));
    const listed = Object.values<Rows>(knownOptions).flatMap((rows) => rows.flatMap(([, , ...names]) => names));
    expect(listed.filter((name) => !had.has(name))).to.deep.equal([]);
  });
});
