import { join } from 'node:path';
import { expect } from 'chai';
import * as packageJson from 'hookline/package.json';
import * as ts from 'typescript';

const root = join(__dirname, '..');

/** `entry: name` of each public name that says nothing about itself. */
function undocumented(files: readonly string[], host?: ts.CompilerHost): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(files, { ...options, types: ['node'] }, host);
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

describe('the public names', () => {
  it('each say in a docstring what they are', () => {
    const entries = Object.values(packageJson.exports).filter((entry) => typeof entry !== 'string');
    const files = entries.map((entry) => join(root, entry['hookline:source']));
    expect(undocumented(files)).to.deep.equal([]);
  });
});
