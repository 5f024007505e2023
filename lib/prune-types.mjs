// Removes from the declarations of the build everything that no exported name leads to.
import { rmSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

/** Keeps the statements and imports that the exports of the `entries` need. `files` are all declarations of the build. */
export function pruneTypes(entries, files) {
  const options = { module: ts.ModuleKind.NodeNext, types: [] };
  const program = ts.createProgram(entries, { ...options, moduleResolution: ts.ModuleResolutionKind.NodeNext });
  const checker = program.getTypeChecker();
  const own = new Set(files);
  const kept = new Set();
  const waiting = [];

  for (const file of [...own].map((name) => program.getSourceFile(name)).filter(Boolean))
    for (const statement of file.statements) if (isAlwaysKept(statement)) keep(statement);
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    for (const symbol of checker.getExportsOfModule(module)) keepSymbol(symbol);
  }
  for (let statement = waiting.pop(); statement; statement = waiting.pop()) keepNames(statement);

  for (const name of own) {
    const file = program.getSourceFile(name);
    if (!file?.statements.some((one) => [one, ...namesOf(one)].some((node) => kept.has(node)))) rmSync(name);
    else writeFileSync(name, keptText(file));
  }

  function keepNames(node) {
    if (ts.isIdentifier(node)) keepSymbol(checker.getSymbolAtLocation(node));
    ts.forEachChild(node, keepNames);
  }

  /** An alias leads to the next one, up to the statement that declares the name. */
  function keepSymbol(symbol) {
    for (const declaration of symbol?.declarations ?? []) {
      if (!own.has(declaration.getSourceFile().fileName)) continue;
      if (symbol.flags & ts.SymbolFlags.Alias) kept.add(declaration);
      else keep(statementOf(declaration));
    }
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) {
      const next = checker.getImmediateAliasedSymbol(symbol);
      if (next) keepSymbol(next);
    }
  }

  function keep(statement) {
    if (kept.has(statement)) return;
    kept.add(statement);
    waiting.push(statement);
  }

  /** The file without the rest, from its end to its start. */
  function keptText({ statements, text }) {
    return statements.reduceRight((left, statement) => {
      const names = namesOf(statement);
      const some = names.filter((name) => kept.has(name));
      if (kept.has(statement) || (names.length > 0 && some.length === names.length)) return left;
      const end = left.slice(statement.end);
      if (some.length === 0) return left.slice(0, statement.pos) + end;
      const list = some[0].parent.elements;
      return `${left.slice(0, list.pos)} ${some.map((name) => name.getText()).join(', ')}${left.slice(list.end, statement.end)}${end}`;
    }, text);
  }
}

/** A file without imports is a module because of `export {}`. */
function isAlwaysKept(statement) {
  if (ts.isImportDeclaration(statement)) return !statement.importClause;
  if (ts.isExportDeclaration(statement)) return !statement.exportClause || namesOf(statement).length === 0;
  return ts.isModuleDeclaration(statement);
}

/** The names that an import or export of a module declares. */
function namesOf(statement) {
  if (ts.isExportDeclaration(statement)) return statement.exportClause?.elements ?? [];
  if (!ts.isImportDeclaration(statement)) return [];
  const { name, namedBindings } = statement.importClause ?? {};
  const others = namedBindings && (ts.isNamespaceImport(namedBindings) ? [namedBindings] : namedBindings.elements);
  return [...(name ? [statement.importClause] : []), ...(others ?? [])];
}

function statementOf(node) {
  let statement = node;
  while (!ts.isSourceFile(statement.parent)) statement = statement.parent;
  return statement;
}
