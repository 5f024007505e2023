import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { root } from './root.ts';

/** Returns the docstring of a declaration, without its stars; one line for each line of the source. */
export function docstringOf(file: string, name: string): string {
  const found = declarationOf(file, name);
  const comment = found && ts.getJSDocCommentsAndTags(found).filter(ts.isJSDoc).at(-1)?.comment;
  const text = ts.getTextOfJSDocComment(comment);
  if (text === undefined) throw new Error(`${name} of ${file} has no docstring`);
  return text;
}

/** Returns the declared type of what a function returns. */
export function returnTypeOf(file: string, name: string): string {
  const found = declarationOf(file, name);
  return (found && ts.isFunctionDeclaration(found) && found.type?.getText()) || '';
}

function declarationOf(file: string, name: string): ts.Statement | undefined {
  const source = readFileSync(join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return tree.statements.find((statement) => namesOf(statement).includes(name));
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  if (ts.isFunctionDeclaration(statement) || ts.isInterfaceDeclaration(statement))
    return statement.name ? [statement.name.text] : [];
  return [];
}
