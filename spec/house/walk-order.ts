import { Module } from 'node:module';
import { join } from 'node:path';
import * as ts from 'typescript';
import { root } from './import-graph.ts';

const lib = join(root, 'lib/');
const told = globalThis as { entered?: (file: string) => void };

/**
 * Prints, as JSON, the files of both walks in the order in which they are first entered, and those that V8 counts. A program of its own:
 * it has to see lib load.
 */
function main(): void {
  const { prototype } = Module as unknown as { prototype: { _compile(code: string, file: string): unknown } };
  const compile = prototype._compile;
  prototype._compile = function (code, file) {
    return compile.call(this, file.startsWith(lib) ? telling(code, file.slice(lib.length)) : code, file);
  };
  const { follow } = require('./walks.ts') as typeof import('./walks.ts');
  const entered = follow((act) => {
    const files = new Set<string>();
    told.entered = (file) => files.add(file);
    act();
    told.entered = () => {};
    return [...files];
  });
  console.log(JSON.stringify({ entered, covered: follow() }));
}

/** The code with a word at the beginning of each function of which file it is. */
function telling(code: string, file: string): string {
  const word = `globalThis.entered?.(${JSON.stringify(file)})`;
  const edits: [at: number, text: string][] = [];
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) ? (node as ts.FunctionLikeDeclaration).body : undefined;
    if (body && ts.isBlock(body)) edits.push([body.getStart() + 1, ` ${word};`]);
    else if (body) edits.push([body.getStart(), `(${word}, `], [body.end, ')']);
    ts.forEachChild(node, visit);
  };
  // The head, in which the compiler exports by getters, is no function of the file's own.
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ESNext, true);
  source.statements.filter((statement) => !isExport(statement)).forEach(visit);
  edits.sort(([a], [b]) => b - a);
  return edits.reduce((text, [at, insert]) => text.slice(0, at) + insert + text.slice(at), code);
}

function isExport(statement: ts.Statement): boolean {
  const text = statement.getText();
  return /^(Object\.defineProperty\(exports|_export\(exports|function _export\()/.test(text);
}

main();
