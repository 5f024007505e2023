import { join } from 'node:path';
import { expect } from 'chai';
import * as packageJson from 'hookline/package.json';
import * as ts from 'typescript';

const root = join(__dirname, '..');

/** Types whose fields users write or read first. */
const TYPED = [
  ...[
    'HookDefinition',
    'HookMatch',
    'ChunkOperators',
    'Wrappers',
    'PipelineOptions',
    'AgentOptions',
    'AgentRunOptions',
  ],
  ...[
    'PreCall',
    'PreReasoning',
    'ReasoningChunk',
    'PostReasoning',
    'PreActing',
    'ActingChunk',
    'PostActing',
    'PostCall',
  ],
  ...['CallError', 'ReasoningError', 'ActingError'],
];

function programOf(files: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  return ts.createProgram(files, { ...options, types: ['node'] });
}

/** `type.field` of each field of `TYPED` without a docstring with an example. */
function withoutExample(program: ts.Program, entry: string): string[] {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile) as ts.Symbol;
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  return TYPED.flatMap((name) => {
    const fields = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported.get(name)!)).getProperties();
    if (fields.length === 0) throw new Error(`${name} has no fields`);
    const hasExample = (field: ts.Symbol) =>
      field.getDocumentationComment(checker).length > 0 &&
      field.getJsDocTags(checker).some((tag) => tag.name === 'example' && ts.displayPartsToString(tag.text) !== '');
    return fields.filter((field) => !hasExample(field)).map((field) => `${name}.${field.name}`);
  });
}

/** `entry: name` of each public name without a docstring. */
function undocumented(program: ts.Program, files: readonly string[]): string[] {
  const checker = program.getTypeChecker();
  const isSilent = (symbol: ts.Symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return own.getDocumentationComment(checker).length === 0;
  };
  return files.flatMap((file) => {
    const entry = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile);
    const names = entry === undefined ? [] : checker.getExportsOfModule(entry);
    if (names.length === 0) throw new Error(`${file} exports nothing`);
    return names.filter(isSilent).map(({ name }) => `${file.slice(root.length + 1)}: ${name}`);
  });
}

const entries = Object.values(packageJson.exports).filter((entry) => typeof entry !== 'string');

describe('the public API', () => {
  const files = entries.map((entry) => join(root, entry['hookline:source']));
  let program: ts.Program;

  before(() => {
    program = programOf(files);
  });

  it('has docstrings', () => {
    expect(undocumented(program, files)).to.deep.equal([]);
  });

  it('has an example at each field of types that users write first', () => {
    expect(withoutExample(program, join(root, 'lib/index.ts'))).to.deep.equal([]);
  });
});
