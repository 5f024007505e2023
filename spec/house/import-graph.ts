import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as ts from 'typescript';

export interface Import {
  readonly to: string;
  /** Whether the import is gone after compilation. */
  readonly type: boolean;
}
export type Sources = ReadonlyMap<string, string>;
export type Graph = ReadonlyMap<string, readonly Import[]>;

/** The repository. */
export const root = join(__dirname, '../..');

/** The TypeScript files of a folder of the repository, by their paths within it; those of packages installed there are not ours. */
export function readSources(folder: string): Sources {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const own = files.map((file) => file.replaceAll('\\', '/')).filter((file) => !file.includes('node_modules/'));
  const names = own.filter((file) => /\.tsx?$/.test(file));
  return new Map(names.map((file) => [file, readFileSync(join(root, folder, file), 'utf8')]));
}

/** What every file imports: relative paths as lib files, packages by their specifier. */
export function graphOf(sources: Sources): Graph {
  return new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]));
}

export function importsOf(file: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, type: boolean): void => {
    if (!specifier || !ts.isStringLiteral(specifier)) return;
    const { text } = specifier;
    found.push({ to: text.startsWith('.') ? posix.join(posix.dirname(file), text) : text, type });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeExport(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && /^(import|require)$/.test(node.expression.getText()))
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true));
  return found;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return !clause.name && !!named && ts.isNamedImports(named) && named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly || !exportClause) return isTypeOnly;
  return ts.isNamedExports(exportClause) && exportClause.elements.every((element) => element.isTypeOnly);
}

export function* edges(graph: Graph): Generator<readonly [from: string, to: string]> {
  for (const [from, imports] of graph) for (const { to } of imports) yield [from, to];
}

/** All that a file loads (or leans on, with types), itself included. */
export function closure(graph: Graph, file: string, withTypes = false, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { to, type } of graph.get(file) ?? []) if (withTypes || !type) closure(graph, to, withTypes, found);
  return found;
}

/** Groups of files that import each other, however far round. */
export function circles(graph: Graph, withTypes: boolean): string[][] {
  const next = (file: string) => (graph.get(file) ?? []).filter(({ type }) => withTypes || !type);
  const reached = new Map(
    [...graph.keys()].map((file) => {
      const found = new Set<string>();
      for (const { to } of next(file)) closure(graph, to, withTypes, found);
      return [file, found];
    }),
  );
  const inCircle = [...graph.keys()].filter((file) => reached.get(file)?.has(file)).sort();
  const groups = inCircle.map((a) => inCircle.filter((b) => reached.get(a)?.has(b) && reached.get(b)?.has(a)));
  return groups.filter((group, index) => inCircle.indexOf(group[0] as string) === index);
}

/** What the rooms of a folder import of each other: its folders, and each file that stands in it by itself. */
export function roomGraph(graph: Graph, folder: string): Graph {
  const roomOf = (file: string) => file.slice(folder.length + 1).split('/')[0] as string;
  const rooms = new Map<string, Import[]>();
  for (const [file, imports] of graph) {
    if (!file.startsWith(`${folder}/`)) continue;
    const others = imports.filter(({ to }) => to.startsWith(`${folder}/`) && roomOf(to) !== roomOf(file));
    const known = rooms.get(roomOf(file)) ?? [];
    rooms.set(roomOf(file), [...known, ...others.map(({ to, type }) => ({ to: roomOf(to), type }))]);
  }
  return rooms;
}
