import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HooklineError } from '../../errors.ts';

/** The members of ts-node that are used here. */
interface TsNode {
  create(options: object): { compile(code: string, file: string): string };
}

/** A module as Node's loader hands it to whoever reads its file. */
type Loading = NodeModule & { _compile(code: string, file: string): void };

/** Makes `require` understand TypeScript with the ts-node that `file`, or this package, can see. Types are not checked. */
export function readTypeScript(file: string): void {
  const tsNode = findTsNode(file) ?? findTsNode(__filename);
  if (!tsNode) {
    const message =
      'it is TypeScript, which needs ts-node. Run: npm install ts-node typescript, or give a .js or .mjs file.';
    throw new HooklineError('INPUT_INVALID', message);
  }
  const service = tsNode.create({
    transpileOnly: true,
    // No tsconfig.json that lies around decides how a hook is read.
    skipProject: true,
    compilerOptions: { module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022', esModuleInterop: true },
  });
  // Named .cts it becomes CommonJS, whatever the package.json above it says of its type.
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
