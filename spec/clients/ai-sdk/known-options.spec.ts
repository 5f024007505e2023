import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { knownOptions, type OptionsPlace, refusedOptions } from '../../../lib/adapters/ai-sdk/loop/known-options.ts';

/** The types of each place, where the version has it. */
const AGENT = 'InstanceType<typeof ai.ToolLoopAgent<any, any>>';
const types = (agents: boolean): Partial<Record<OptionsPlace, string>> => ({
  'a call': 'Parameters<typeof ai.generateText<any>>[0] | Parameters<typeof ai.streamText<any>>[0]',
  'what prepareStep returns': 'ai.PrepareStepResult<any>',
  'a tool': 'ai.Tool',
  ...(agents && {
    'settings of an agent': 'ConstructorParameters<typeof ai.ToolLoopAgent<any, any>>[0]',
    'a call of an agent': `Parameters<${AGENT}['generate' | 'stream']>[0]`,
  }),
});

/** The members that each place of a package has, and which of them can be a function. */
function membersOf(name: string, agents: boolean): Readonly<Record<string, ReadonlyMap<string, boolean>>> {
  const file = join(__dirname, '..', `members-of-${name}.ts`);
  const places = Object.entries(types(agents));
  const text = [`import * as ai from '${name}';`, ...places.map(([, type], at) => `export type P${at} = ${type};`)];
  const options: ts.CompilerOptions = {
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, types: [] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const source = ts.createSourceFile(file, text.join('\n'), ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (path, ...more) => (path === file ? source : getSourceFile.call(host, path, ...more));
  host.fileExists = (path) => path === file || fileExists.call(host, path);
  const checker = ts.createProgram([file], options, host).getTypeChecker();
  const parts = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  return Object.fromEntries(
    places.map(([place], at) => {
      const found = new Map<string, boolean>();
      for (const type of parts(checker.getTypeAtLocation((aliases[at] as ts.TypeAliasDeclaration).name)))
        for (const member of checker.getPropertiesOfType(type)) {
          const calls = parts(checker.getTypeOfSymbol(member)).some((one) => one.getCallSignatures().length > 0);
          found.set(member.name, (found.get(member.name) ?? false) || calls);
        }
      return [place, found];
    }),
  );
}

describe('the options of the AI SDK that are known', () => {
  const packages = [
    [5, 'ai5', false],
    [5, 'ai5latest', false],
    [6, 'ai6', true],
    [6, 'ai6latest', true],
    [7, 'ai7', true],
  ] as const;
  const found = packages.map(([version, name, agents]) => ({ version, members: membersOf(name, agents) }));
  const places = Object.keys(knownOptions) as OptionsPlace[];
  type Rows = readonly (readonly [use: string, versions: readonly number[], ...names: string[]])[];

  for (const place of places)
    it(`have all of ${place} that can be functions`, () => {
      const known: Rows = knownOptions[place];
      const refused = Object.keys(refusedOptions[place] ?? {});
      for (const { version, members } of found)
        for (const [name, calls] of members[place] ?? []) {
          const listed = known.some(([, versions, ...names]) => versions.includes(version) && names.includes(name));
          if (calls) expect(listed || refused.includes(name), `${name} of version ${version}`).to.equal(true);
        }
    });

  it('have nothing that the SDK has nowhere', () => {
    const had = new Set(found.flatMap(({ members }) => Object.values(members).flatMap((names) => [...names.keys()])));
    const listed = Object.values<Rows>(knownOptions).flatMap((rows) => rows.flatMap(([, , ...names]) => names));
    expect(listed.filter((name) => !had.has(name))).to.deep.equal([]);
  });
});
