import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HooklineError } from '../../errors.ts';

/** The fields of ts-node that this module uses. */
interface TsNode {
  create(options: object): { compile(code: string, file: string): string };
}

/** A module as Node's loader passes it to an extension handler. */
type Loading = NodeModule & { _compile(code: string, file: string): void };

/** Registers TypeScript support for `require` with the ts-node found from `file` or this package. Types are not checked. */
export function readTypeScript(file: string): void {
  const tsNode = findTsNode(file) ?? findTsNode(__filename);
  if (!tsNode) {
    const message =
      'it is TypeScript, which requires ts-node. Run: npm install ts-node typescript, or use a .js or .mjs file.';
    throw new HooklineError('INPUT_INVALID', message);
  }
  const service = tsNode.create({
    transpileOnly: true,
    // Ignores any tsconfig.json, so that it does not affect how a hook is read.
    skipProject: true,
    compilerOptions: { module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022', esModuleInterop: true },
  });
  // The name .cts makes it CommonJS, regardless of the type in the package.json above it.
  const read = (module: NodeModule, name: string) =>
    (module as Loading)._compile(service.compile(readFileSync(name, 'utf8'), name.replace(/\.[cm]?ts$/, '.cts')), name);
  for (const extension of ['.ts', '.cts', '.mts']) require.extensions[extension] = read;
}

function findTsNode(from: string): TsNode | undefined {
  try {
    return createRequire(from)('ts-node');
  } catch {
    return undefined;
  }
}
