import { join } from 'node:path';
import ts from 'typescript';

/** The fields of each type by its given name, and whether each can be or contain a function. */
export type Fields = Readonly<Record<string, ReadonlyMap<string, boolean>>>;

/** Classes that hold data. */
const DATA = ['Date', 'RegExp', 'URL', 'ArrayBuffer', 'SharedArrayBuffer', 'Buffer', 'Uint8Array', 'AbortSignal'];

/** Reads the types of a package. They refer to its exports as `host`, for example `host.Agent`. */
export function fieldsOf(name: string, types: Readonly<Record<string, string>>): Fields {
  const file = join(__dirname, `members-of-${name.replaceAll('/', '-')}.ts`);
  const places = Object.entries(types);
  const text = [`import * as host from '${name}';`, ...places.map(([, type], at) => `export type P${at} = ${type};`)];
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
  const lives = (type: ts.Type, depth: number): boolean =>
    parts(type).some((one) => {
      if (one.getCallSignatures().length > 0) return true;
      if (depth === 0 || !(one.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
      if (DATA.includes(one.symbol?.name)) return false;
      if (checker.isArrayType(one) || checker.isTupleType(one))
        return checker.getTypeArguments(one as ts.TypeReference).some((each) => lives(each, depth - 1));
      const members = checker.getPropertiesOfType(one).map((each) => checker.getTypeOfSymbol(each));
      const indexed = checker.getIndexInfosOfType(one).map(({ type: each }) => each);
      return [...members, ...indexed].some((each) => lives(each, depth - 1));
    });
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  return Object.fromEntries(
    places.map(([place], at) => {
      const found = new Map<string, boolean>();
      for (const type of parts(checker.getTypeAtLocation((aliases[at] as ts.TypeAliasDeclaration).name)))
        for (const member of checker.getPropertiesOfType(type)) {
          const isLive = lives(checker.getTypeOfSymbol(member), 4);
          found.set(member.name, (found.get(member.name) ?? false) || isLive);
        }
      return [place, found];
    }),
  );
}
