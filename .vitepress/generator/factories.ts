import { join } from 'node:path';
import * as ts from 'typescript';
import { root } from './root.ts';

/** Names of factories that are not the name of their hook. */
const names: Readonly<Record<string, string>> = { recorder: 'runRecorder' };

/** The name of the function that creates a built-in hook. */
export function factoryOf(hook: string): string {
  return names[hook] ?? hook.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

const INDEXES = ['index.ts', 'portable.ts', 'rag/index.ts', 'long-term-memory/index.ts', 'otel/index.ts'];

/** Finds the file of a factory in the index of hooks. */
export function fileOfFactory(factory: string): string {
  for (const index of INDEXES.map((file) => `lib/hooks/${file}`)) {
    const source = ts.createSourceFile(index, ts.sys.readFile(join(root, index)) ?? '', ts.ScriptTarget.Latest);
    for (const statement of source.statements) {
      if (!ts.isExportDeclaration(statement) || !statement.exportClause || !statement.moduleSpecifier) continue;
      const exported = ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : [];
      if (exported.some(({ name }) => name.text === factory))
        return join(index, '..', (statement.moduleSpecifier as ts.StringLiteral).text);
    }
  }
  throw new Error(`No index of hooks exports ${factory}`);
}
