import { join } from 'node:path';
import * as ts from 'typescript';

const root = join(__dirname, '../../..');

/** Types that the package implements itself: their methods are not given, but the arguments of these methods count. */
const OURS = [
  'Pipeline',
  'AnyPipeline',
  'Agent',
  'Hook',
  'HookContext',
  'ToolContext',
  'ParentLink',
  'Lifetime',
  'Cancellable',
];
/** A composer of phases is a loop and handles its own failures. */
const LOOPS = ['Run'];
/** Foreign types that also call functions. */
const FOREIGN = ['Observable', 'SchedulerLike', 'AbortSignal'];

/**
 * The functions that hosts and authors of hooks pass to the package, by its public types: every function in the parameters of the exports of
 * `lib/index.ts`, and of the methods of types received or returned there, as `Type.member`. Observables, signals and schedulers count too.
 */
export function givenFunctions(): readonly string[] {
  const entry = join(root, 'lib/index.ts');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([entry], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  const seen = new Set<ts.Type>();

  const isOurs = (symbol: ts.Symbol | undefined): boolean =>
    symbol?.declarations?.some((one) => {
      const { fileName } = one.getSourceFile();
      return fileName.includes('/lib/') && !fileName.includes('node_modules');
    }) ?? false;
  const nameOf = (type: ts.Type): string | undefined => {
    const name = type.aliasSymbol?.name ?? type.symbol?.name;
    return name === '__type' ? undefined : name;
  };

  function visit(type: ts.Type, path: string): void {
    if (type.isUnionOrIntersection()) {
      for (const one of type.types) visit(one, path);
      return;
    }
    if (type.getCallSignatures().length > 0) {
      found.add(path);
      return;
    }
    if (!(type.flags & ts.TypeFlags.Object) || seen.has(type)) return;
    const name = nameOf(type);
    if (name !== undefined && FOREIGN.includes(name)) {
      found.add(path);
      return;
    }
    if (name !== undefined) seen.add(type);
    const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (item && (checker.isArrayType(type) || checker.isTupleType(type))) {
      visit(item, path);
      return;
    }
    const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (values) visit(values, path);
    if ((!isOurs(type.symbol) && !isOurs(type.aliasSymbol)) || (name !== undefined && LOOPS.includes(name))) return;
    for (const member of type.getProperties()) {
      const declared = member.valueDeclaration ?? member.declarations?.[0];
      const own = declared ? checker.getTypeOfSymbolAtLocation(member, declared) : checker.getTypeOfSymbol(member);
      if (name === undefined || !OURS.includes(name)) visit(own, `${name ?? path}.${member.name}`);
      else for (const signature of own.getCallSignatures()) visitCall(signature, `${name}.${member.name}`);
    }
  }

  function visitCall(signature: ts.Signature, name: string): void {
    for (const parameter of signature.getParameters()) {
      const declared = parameter.valueDeclaration;
      if (declared) visit(checker.getTypeOfSymbolAtLocation(parameter, declared), `${name}(${parameter.name})`);
    }
    const given = nameOf(signature.getReturnType());
    if (given !== undefined && OURS.includes(given)) visit(signature.getReturnType(), given);
  }

  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  for (const exported of module ? checker.getExportsOfModule(module) : []) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (!symbol.valueDeclaration) continue;
    const type = checker.getTypeOfSymbolAtLocation(symbol, symbol.valueDeclaration);
    for (const signature of type.getCallSignatures()) visitCall(signature, exported.name);
  }
  return [...found].sort();
}
